import type { NewTaxRate, TaxRateEdit } from '../model/rate-requests.ts'
import { newId } from '#kernel/ids'
import { errorOf, throwIfRefused } from '#kernel/errors'
import type { Caller } from '#platform/caller'
import { platformErrors } from '#platform/errors'
import { filterCondition } from '#platform/filter/filter-condition'
import type { PageRequest } from '#platform/http/validation/list'
import { editMetadata } from '#platform/http/validation/metadata'
import { once } from '#platform/idempotency/idempotency'
import type { Tx } from '#platform/postgres/database'
import type { TaxesContext } from '../context.ts'
import { errors } from '../errors.ts'
import { holdsNever, type RateScope, type TaxRate } from '../model/tax-rate.ts'
import {
  deleteTaxRate,
  findScopesBeside,
  findTaxRate,
  findTaxRateIdByReference,
  insertTaxRates,
  listTaxRates,
  lockTaxRates,
  setValidUntil,
  type StoredRate,
  TAX_RATE_FIELDS,
} from '../storage/tax-rate.repository.ts'
import { refuseSum } from './decide-sum.ts'
import {
  decideReplaced,
  rateInvalid,
  refuseCrowd,
  refuseDates,
  refuseEnd,
  refuseOverlap,
} from './decide-tax-rate.ts'
import { findCrowdedLine } from './rates-together.ts'
import { readPercentage } from './read-rate.ts'

export function createTaxRate(ctx: TaxesContext, caller: Caller, request: NewTaxRate): Promise<TaxRate> {
  const percentage = readPercentage(request.percentage)
  if (typeof percentage === 'string') throw errorOf(errors, rateInvalid('percentage', percentage))
  return once(ctx.db, caller, async (tx) => {
    const rate: TaxRate = {
      id: newId('txr'),
      name: request.name,
      country: request.country,
      region: request.region ?? null,
      category: request.category ?? null,
      percentage,
      validFrom: request.valid_from,
      validUntil: request.valid_until ?? null,
      referenceId: request.reference_id ?? null,
      metadata: editMetadata(null, request.metadata, 'tax_rate.metadata'),
      createdAt: tx.now,
      updatedAt: tx.now,
    }
    throwIfRefused(errors, refuseDates(rate))
    await lockTaxRates(tx)
    if (request.replaces !== undefined) await endReplaced(ctx, tx, request.replaces, rate)
    const others = await refuseOverlapAndCrowd(tx, rate)
    if (request.adds !== true) throwIfRefused(errors, refuseSum(rate, others))
    if ((await insertTaxRates(tx, [rate])) === 0) {
      const id = await findTaxRateIdByReference(tx, request.reference_id ?? '')
      throw platformErrors.reference_id_taken({
        param: 'tax_rate.reference_id',
        ...(id !== undefined && { data: { tax_rate: { id } } }),
      })
    }
    await recordCreated(ctx, tx, [rate])
    return rate
  })
}

export function editTaxRate(
  ctx: TaxesContext,
  caller: Caller,
  id: string,
  { valid_until: validUntil }: TaxRateEdit,
): Promise<TaxRate> {
  return once(ctx.db, caller, async (tx) => {
    await lockTaxRates(tx)
    const before = await findTaxRate(tx, id)
    if (before === undefined) throw errors.tax_rate_not_found()
    if (validUntil === undefined) return before
    const rate: TaxRate = { ...before, validUntil, updatedAt: tx.now }
    throwIfRefused(errors, refuseEnd(rate))
    if (holdsNever(rate)) await refuseUsed(ctx, tx, rate)
    else await refuseOverlapAndCrowd(tx, rate)
    await setValidUntil(tx, rate)
    return rate
  })
}

export function removeTaxRate(ctx: TaxesContext, caller: Caller, id: string): Promise<TaxRate> {
  return once(ctx.db, caller, async (tx) => {
    await lockTaxRates(tx)
    const rate = await findTaxRate(tx, id)
    if (rate === undefined) throw errors.tax_rate_not_found()
    await refuseUsed(ctx, tx, rate)
    await deleteTaxRate(tx, id)
    return rate
  })
}

async function refuseUsed({ rateUseReaders }: TaxesContext, tx: Tx, rate: TaxRate): Promise<void> {
  for (const isUsed of rateUseReaders) if (await isUsed(tx, rate)) throw errors.tax_rate_used()
}

/** Ends the rate that the new one replaces on the day before the new one begins. */
async function endReplaced(ctx: TaxesContext, tx: Tx, id: string, rate: TaxRate): Promise<void> {
  const before = await findTaxRate(tx, id)
  if (before === undefined) throw errors.tax_rate_not_found({ param: 'tax_rate.replaces' })
  const ended = decideReplaced(before, rate)
  if ('refused' in ended) throw errorOf(errors, ended)
  if (holdsNever(ended)) await refuseUsed(ctx, tx, ended)
  await setValidUntil(tx, ended)
}

export function taxRateById(ctx: TaxesContext, { businessId }: Caller, id: string): Promise<TaxRate> {
  return ctx.db.transact(businessId, async (tx) => {
    const rate = await findTaxRate(tx, id)
    if (rate === undefined) throw errors.tax_rate_not_found()
    return rate
  })
}

export async function taxRatesOfPage(
  ctx: TaxesContext,
  { businessId }: Caller,
  filter: string | undefined,
  request: PageRequest,
): Promise<TaxRate[]> {
  const { timeZone } = await ctx.businesses.profile(businessId)
  const condition = filter === undefined ? undefined : filterCondition(filter, TAX_RATE_FIELDS, timeZone)
  return listTaxRates(ctx.db, businessId, condition, request)
}

export async function recordCreated(ctx: TaxesContext, tx: Tx, rates: readonly TaxRate[]): Promise<void> {
  const events = rates.map((rate) => ({
    type: 'tax_rate.created' as const,
    objectId: rate.id,
    timestamp: tx.now,
    data: ctx.present.taxRate(rate),
  }))
  await ctx.events.append(tx, events)
}

/** Returns the rates that may hold together with the rate. */
async function refuseOverlapAndCrowd(tx: Tx, rate: TaxRate): Promise<readonly StoredRate[]> {
  const others = (await findScopesBeside(tx, rate)).filter(({ id }) => id !== rate.id)
  throwIfRefused(errors, refuseOverlap(rate, others))
  const crowded = await findCrowdedLine<RateScope>([...others, rate], new Set([rate]))
  if (crowded !== undefined) throw errorOf(errors, refuseCrowd(crowded, 'this rate'))
  return others
}

import type { NewTaxRate, TaxRateEdit } from '../model/rate-requests.ts'
import { decimalToString } from '#kernel/decimal'
import { newId } from '#kernel/ids'
import type { RequestError } from '#kernel/errors'
import { rawNumber } from '#kernel/json'
import type { Caller } from '#platform/caller'
import { platformErrors } from '#platform/errors'
import { filterCondition } from '#platform/filter/filter-condition'
import type { PageRequest } from '#platform/http/validation/list'
import { editMetadata } from '#platform/http/validation/metadata'
import { once } from '#platform/idempotency/idempotency'
import type { Tx } from '#platform/postgres/database'
import type { TaxesContext } from '../context.ts'
import { errors } from '../errors.ts'
import { dayBefore, holdsNever, overlapKey, type RateScope, type TaxRate } from '../model/tax-rate.ts'
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
import { ratesThatAddUp } from './decide-sum.ts'
import { type CrowdedLine, findCrowdedLine, MAX_RATES_TOGETHER } from './rates-together.ts'
import { rateInvalid, readPercentage } from './read-rate.ts'

export function createTaxRate(ctx: TaxesContext, caller: Caller, request: NewTaxRate): Promise<TaxRate> {
  const percentage = readPercentage(request.percentage)
  if (typeof percentage === 'string') throw rateInvalid('percentage', percentage)
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
    checkDates(rate)
    await lockTaxRates(tx)
    if (request.replaces !== undefined) await endReplaced(ctx, tx, request.replaces, rate)
    const others = await refuseOverlapAndCrowd(tx, rate)
    if (request.adds !== true) refuseSum(rate, others)
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
    if (holdsNever(rate)) await endBeforeStart(ctx, tx, rate)
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

/** A rate that taxed nothing may be left without a day: it then ends on the day before its first. */
async function endBeforeStart(ctx: TaxesContext, tx: Tx, rate: TaxRate): Promise<void> {
  if (rate.validUntil !== dayBefore(rate.validFrom)) {
    throw rateInvalid('valid_until', 'must not be more than a day before valid_from')
  }
  await refuseUsed(ctx, tx, rate)
}

async function refuseUsed({ rateUseReaders }: TaxesContext, tx: Tx, rate: TaxRate): Promise<void> {
  for (const isUsed of rateUseReaders) if (await isUsed(tx, rate)) throw errors.tax_rate_used()
}

/** Ends the rate that the new one replaces on the day before the new one begins. */
async function endReplaced(ctx: TaxesContext, tx: Tx, id: string, rate: TaxRate): Promise<void> {
  const param = 'tax_rate.replaces'
  const before = await findTaxRate(tx, id)
  if (before === undefined) throw errors.tax_rate_not_found({ param })
  const isElsewhere =
    before.country !== rate.country || before.region !== rate.region || before.category !== rate.category
  if (isElsewhere) throw rateInvalid('replaces', 'must be a rate of the same country, region and category')
  const validUntil = dayBefore(rate.validFrom)
  if (before.validUntil !== null && before.validUntil < validUntil) {
    throw rateInvalid('replaces', `ended on ${before.validUntil}, before ${validUntil}`)
  }
  const ended: TaxRate = { ...before, validUntil, updatedAt: tx.now }
  if (validUntil < dayBefore(ended.validFrom)) {
    throw rateInvalid('replaces', `begins on ${before.validFrom}, after valid_from`)
  }
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

function checkDates({ validFrom, validUntil }: TaxRate): void {
  if (validUntil !== null && validUntil < validFrom) {
    throw rateInvalid('valid_until', 'must not be before valid_from')
  }
}

function refuseSum(rate: TaxRate, others: readonly StoredRate[]): void {
  const added = ratesThatAddUp(rate, others)
  if (added === undefined) return
  const { date, others: rates } = added
  const sum = decimalToString(added.sum)
  const names = rates.map((other) => rateLabel(other.name, other.percentage)).join(', ')
  throw errors.tax_rate_adds_up({
    message: `From ${date} lines would pay ${sum}%: ${rateLabel(rate.name, decimalToString(rate.percentage))} beside ${names}.`,
    data: {
      rates: rates.map((other) => ({
        id: other.id,
        name: other.name,
        percentage: rawNumber(other.percentage),
        valid_from: other.validFrom,
        valid_until: other.validUntil,
      })),
      sum: rawNumber(sum),
    },
  })
}

function rateLabel(name: string, percentage: string): string {
  return `${name} ${percentage}%`
}

/** Returns the rates that may hold together with the rate. */
async function refuseOverlapAndCrowd(tx: Tx, rate: TaxRate): Promise<readonly StoredRate[]> {
  const others = (await findScopesBeside(tx, rate)).filter(({ id }) => id !== rate.id)
  const key = overlapKey(rate)
  const other = others.find((one) => overlapKey(one) === key)
  if (other !== undefined) throw errors.tax_rate_overlap({ data: { tax_rate: { id: other.id } } })
  const crowded = await findCrowdedLine<RateScope>([...others, rate], new Set([rate]))
  if (crowded !== undefined) throw tooManyTogether(crowded, 'this rate')
  return others
}

/** @param subject what adds the rate */
export function tooManyTogether(
  { rate: { country }, region, category, date }: CrowdedLine<RateScope>,
  subject: string,
): RequestError {
  const place = region === null ? country : `${country}, ${region}`
  const lines = category === null ? 'lines' : `lines of the category ${category}`
  return errors.tax_rate_limit({
    message: `With ${subject}, more than ${MAX_RATES_TOGETHER} rates would apply to ${lines} in ${place} on ${date}.`,
    data: { country, region, category, date },
  })
}

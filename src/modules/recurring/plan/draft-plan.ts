import { parseRecurrenceRule } from '#kernel/recurrence-rule'
import { billingConfigKey } from '#kernel/billing-config'
import { type Instant, isBefore } from '#kernel/clock'
import { compareDecimals, decimal, isDecimalProblem, parseDecimal } from '#kernel/decimal'
import { isDurationProblem, parseTimer } from '#kernel/duration'
import type { RequestError } from '#kernel/errors'
import { newId } from '#kernel/ids'
import type { ExactNumber } from '#kernel/json'
import { Money, parseMoney, readMoney } from '#kernel/money'
import { parseDate, parseInstant } from '#kernel/time-text'
import { localDateOf, startOfLocalDay, type TimeZone } from '#kernel/time-zone'
import { type Customer, customerErrors } from '#modules/customers'
import { editMetadata, type MetadataEdit } from '#platform/http/validation/metadata'
import type { Tx } from '#platform/postgres/database'
import { findConfigOfRule, findConfigs, findItems } from '../storage/catalogue.repository.ts'
import { type CycleItem, pricedItem, type RecurringItem } from '../model/catalogue.ts'
import { errors } from '../errors.ts'
import type { RecurringContext } from '../context.ts'
import { type Discount, grossOf } from '../billing/order-lines.ts'
import {
  type BillingConfigRecord,
  type Cycle,
  type PlanAggregate,
  NEW_CYCLE,
  NEW_PLAN,
  type Plan,
} from '../model/plan.ts'

export interface NewPlan {
  readonly name: string
  readonly reference_number?: string
  readonly customer_uuid: string
  readonly default_collection_method: Plan['defaultCollectionMethod']
  readonly payment_retry_count: number
  readonly payment_retry_day_period: number
  readonly grace_period?: number | null
  readonly callback_url?: string
  readonly redirect_url?: string
  readonly timeout?: { readonly timer: string; readonly url?: string }
  readonly note?: string
  readonly description?: string | null
  readonly metadata?: MetadataEdit
  readonly start_date?: string
  readonly recurring_cycles: readonly NewCycle[]
}

export interface NewCycle {
  readonly billing_count: number | null
  readonly recurring_billing_config: string
  readonly recurring_items: readonly { readonly quantity: number; readonly recurring_item_id: string }[]
  readonly discount_amount?: number | ExactNumber
  readonly discount_type?: Discount['type']
  readonly description?: string | null
}

export interface PlanDraft {
  readonly aggregate: PlanAggregate
  readonly items: readonly (readonly CycleItem[])[]
  /** Configs of rules that are not stored yet, by `billingConfigKey`. */
  readonly newConfigs: ReadonlyMap<string, BillingConfigRecord>
}

export async function draftPlan(
  ctx: RecurringContext,
  tx: Tx,
  zone: TimeZone,
  request: NewPlan,
): Promise<PlanDraft> {
  const customer = await findCustomer(ctx, tx, request.customer_uuid)
  const items = await findRequestedItems(tx, request.recurring_cycles)
  const currency = oneCurrency(items)
  const configs = await readConfigs(tx, request.recurring_cycles)
  if (request.callback_url !== undefined) checkCallback(ctx, request.callback_url)
  const start = startOf(request.start_date, tx.now, zone)
  const plan = newPlan(request, customer, currency, start, zone, tx.now)
  const cycles = request.recurring_cycles.map((cycle, position): Cycle => {
    const path = `plan.recurring_cycles[${position}]`
    checkBillingCount(cycle, position, request.recurring_cycles.length)
    checkSize(items[position] ?? [], currency, path)
    const config = configs.records[position]
    if (config === undefined) throw new Error(`cycle ${position} has no config`)
    return {
      ...NEW_CYCLE,
      id: newId('rcy'),
      planId: plan.id,
      position,
      billingCount: cycle.billing_count,
      config,
      discount: readDiscount(cycle, currency, path),
      description: cycle.description ?? null,
      createdAt: tx.now,
      updatedAt: tx.now,
    }
  })
  return { aggregate: { plan, cycles, orders: [], events: [] }, items, newConfigs: configs.newConfigs }
}

export function checkCallback(ctx: RecurringContext, url: string): void {
  if (!ctx.mayReceiveWebhooks(url)) throw errors.callback_url_refused({ param: 'plan.callback_url' })
}

async function findCustomer(ctx: RecurringContext, tx: Tx, uuid: string): Promise<Customer> {
  const customer = (await ctx.customers.findCustomers(tx, [uuid])).get(uuid)
  if (customer === undefined) throw customerErrors.customer_not_found({ param: 'plan.customer_uuid' })
  if (customer.erasedAt !== null) throw customerErrors.customer_erased({ param: 'plan.customer_uuid' })
  return customer
}

async function findRequestedItems(tx: Tx, cycles: readonly NewCycle[]): Promise<CycleItem[][]> {
  const ids = cycles.flatMap((cycle) => cycle.recurring_items.map((item) => item.recurring_item_id))
  const itemsById = await findItems(tx, ids)
  return cycles.map((cycle, position) =>
    cycle.recurring_items.map(({ recurring_item_id: id, quantity }, index) => {
      const item = itemsById.get(id)
      const param = `plan.recurring_cycles[${position}].recurring_items[${index}].recurring_item_id`
      if (item === undefined) throw errors.recurring_item_not_found({ param })
      return { item, quantity }
    }),
  )
}

function oneCurrency(items: readonly (readonly CycleItem[])[]): string {
  let first: RecurringItem | undefined
  for (const [position, cycle] of items.entries()) {
    for (const [index, { item }] of cycle.entries()) {
      first ??= item
      if (item.price.currency !== first.price.currency) {
        const param = `plan.recurring_cycles[${position}].recurring_items[${index}].recurring_item_id`
        throw errors.plan_currency_mixed({ param })
      }
    }
  }
  if (first === undefined) throw new Error('the plan has no item')
  return first.price.currency
}

interface ReadConfigs {
  readonly records: readonly BillingConfigRecord[]
  readonly newConfigs: ReadonlyMap<string, BillingConfigRecord>
}

/** A text with a digit or an underscore and without `=` is an id (reference/recurring#recurrence-rules). */
const CONFIG_ID = /^(?=[^=]*[\d_])[^=\s]+$/

async function readConfigs(tx: Tx, cycles: readonly NewCycle[]): Promise<ReadConfigs> {
  const texts = cycles.map((cycle) => cycle.recurring_billing_config)
  const configsById = await findConfigs(
    tx,
    texts.filter((text) => CONFIG_ID.test(text)),
  )
  const newConfigs = new Map<string, BillingConfigRecord>()
  const records: BillingConfigRecord[] = []
  for (const [position, text] of texts.entries()) {
    const param = `plan.recurring_cycles[${position}].recurring_billing_config`
    if (!CONFIG_ID.test(text)) {
      records.push(await configOfText(tx, text, param, newConfigs))
      continue
    }
    const record = configsById.get(text)
    if (record === undefined) throw errors.billing_config_not_found({ param })
    records.push(record)
  }
  return { records, newConfigs }
}

async function configOfText(
  tx: Tx,
  text: string,
  param: string,
  newConfigs: Map<string, BillingConfigRecord>,
): Promise<BillingConfigRecord> {
  const config = parseRecurrenceRule(text)
  if ('problem' in config) {
    throw errors.recurrence_rule_unsupported({ param, message: `The rule ${config.message}.` })
  }
  const key = billingConfigKey(config)
  const existing = newConfigs.get(key) ?? (await findConfigOfRule(tx, key))
  if (existing !== undefined) return existing
  const record = { ...config, id: newId('rbc'), description: null, createdAt: tx.now }
  newConfigs.set(key, record)
  return record
}

function checkBillingCount(cycle: NewCycle, position: number, count: number): void {
  if (cycle.billing_count !== null || position === count - 1) return
  throw errors.billing_count_missing({ param: `plan.recurring_cycles[${position}].billing_count` })
}

function checkSize(items: readonly CycleItem[], currency: string, path: string): void {
  const gross = grossOf(items.map(pricedItem), currency)
  if (!(parseMoney(currency, gross.toString()) instanceof Money)) {
    throw errors.billing_amount_too_large({ param: `${path}.recurring_items` })
  }
}

const HUNDRED = decimal(100)
const NONE = decimal(0)

function readDiscount(cycle: NewCycle, currency: string, path: string): Discount | null {
  const { discount_amount: amount, discount_type: type = 'fixed_amount' } = cycle
  const param = `${path}.discount_amount`
  if (amount === undefined) {
    if (cycle.discount_type === undefined) return null
    throw errors.discount_invalid({ param, message: `${path}.discount_type needs discount_amount.` })
  }
  return type === 'fixed_amount' ? fixedDiscount(amount, currency, param) : percentage(amount, param)
}

function fixedDiscount(amount: number | ExactNumber, currency: string, param: string): Discount {
  const money = readMoney(currency, amount, param, discountInvalid)
  if (money.isNegative()) throw discountInvalid(param, 'must not be negative')
  return { type: 'fixed_amount', amount: money }
}

function percentage(amount: number | ExactNumber, param: string): Discount {
  const rate = parseDecimal(amount)
  if (isDecimalProblem(rate)) throw discountInvalid(param, rate.message)
  if (compareDecimals(rate, NONE) < 0 || compareDecimals(rate, HUNDRED) > 0) {
    throw discountInvalid(param, 'must be from 0 to 100 as a percentage')
  }
  return { type: 'percentage', rate }
}

function discountInvalid(param: string, rule: string): RequestError {
  return errors.discount_invalid({ param, message: `${param} ${rule}.` })
}

type Start = Pick<Plan, 'startAt' | 'localTime'>

function startOf(text: string | undefined, now: Instant, zone: TimeZone): Start {
  if (text === undefined) return startAt(now, zone)
  const date = parseDate(text)
  if (date !== undefined && date.equals(localDateOf(now, zone))) return startAt(now, zone)
  const start = date === undefined ? parseInstant(text) : startOfLocalDay(date, zone)
  if (start === undefined || isBefore(start, now)) {
    throw errors.start_date_invalid({ param: 'plan.start_date' })
  }
  // Daylight saving may skip the midnight of the first day, but not that of later days.
  if (date !== undefined) return { startAt: start, localTime: MIDNIGHT }
  // Times are stored and shown with milliseconds.
  return startAt(start.round({ smallestUnit: 'millisecond', roundingMode: 'floor' }), zone)
}

const MIDNIGHT = new Temporal.PlainTime()

function startAt(instant: Instant, zone: TimeZone): Start {
  return { startAt: instant, localTime: instant.toZonedDateTimeISO(zone).toPlainTime() }
}

function readTimeout(request: NewPlan['timeout']): Plan['timeout'] {
  if (request === undefined) return null
  const seconds = parseTimer(request.timer)
  if (isDurationProblem(seconds)) {
    const param = 'plan.timeout.timer'
    throw errors.plan_timeout_invalid({ param, message: `${param} ${seconds.message}.` })
  }
  return { seconds, url: request.url ?? null }
}

function newPlan(
  request: NewPlan,
  customer: Customer,
  currency: string,
  start: Start,
  zone: TimeZone,
  now: Instant,
): Plan {
  return {
    ...NEW_PLAN,
    id: newId('pln'),
    name: request.name,
    referenceNumber: request.reference_number ?? null,
    customerUuid: customer.uuid,
    customerReferenceNumber: customer.referenceNumber,
    defaultCollectionMethod: request.default_collection_method,
    paymentRetryCount: request.payment_retry_count,
    paymentRetryDayPeriod: request.payment_retry_day_period,
    gracePeriod: request.grace_period ?? null,
    callbackUrl: request.callback_url ?? null,
    redirectUrl: request.redirect_url ?? null,
    timeout: readTimeout(request.timeout),
    note: request.note ?? null,
    description: request.description ?? null,
    metadata: editMetadata(null, request.metadata, 'plan.metadata'),
    credit: Money.zero(currency),
    zone,
    ...start,
    createdAt: now,
    updatedAt: now,
  }
}

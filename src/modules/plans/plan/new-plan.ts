import { type Instant, isBefore } from '#kernel/clock'
import { compareDecimals, decimal, isDecimalProblem, parseDecimal } from '#kernel/decimal'
import { isDurationProblem, parseTimer } from '#kernel/duration'
import type { RequestError } from '#kernel/errors'
import { newId } from '#kernel/ids'
import type { ExactNumber } from '#kernel/json'
import { Money, parseMoney, readMoney } from '#kernel/money'
import type { Refused } from '#kernel/refusal'
import { parseDate, parseInstant } from '#kernel/time-text'
import { localDateOf, startOfLocalDay, type TimeZone } from '#kernel/time-zone'
import type { Customer } from '#modules/customers'
import { editMetadata } from '#platform/http/validation/metadata'
import { throwIfRefused } from '../errors.ts'
import { grossOf } from '../amounts/order-lines.ts'
import {
  type BillingConfigRecord,
  catalogueErrors as errors,
  type CycleItem,
  type Discount,
  pricedItem,
} from '#modules/catalogue'
import type { PlanInvoicing } from '../model/invoicing.ts'
import { readTerms, readTrial } from './read-lifecycle.ts'
import type { NewCycle, NewPlan } from '../model/plan-requests.ts'
import { type Cycle, NEW_CYCLE, NEW_PLAN, type Plan } from '../model/plan.ts'

interface PlanGround {
  readonly customer: Customer
  readonly invoicing: PlanInvoicing | null
  readonly currency: string
  readonly zone: TimeZone
  readonly at: Instant
}

export function newPlan(request: NewPlan, { customer, invoicing, currency, zone, at }: PlanGround): Plan {
  const start = startOf(request.start_date, at, zone)
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
    dunningPolicyId: request.dunning_policy_id ?? null,
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
    ...readTrial(request.trial, { ...start, zone }),
    terms: readTerms(request.terms),
    invoicing,
    createdAt: at,
    updatedAt: at,
  }
}

interface CycleGround {
  readonly plan: Plan
  readonly position: number
  readonly isLast: boolean
  readonly items: readonly CycleItem[]
  readonly config: BillingConfigRecord
}

export function newCycle(cycle: NewCycle, { plan, position, isLast, items, config }: CycleGround): Cycle {
  const { currency } = plan.credit
  const path = `plan.recurring_cycles[${position}]`
  if (cycle.billing_count === null && !isLast) {
    throw errors.billing_count_missing({ param: `${path}.billing_count` })
  }
  throwIfRefused(refuseTooLarge(items, currency, path))
  return {
    ...NEW_CYCLE,
    id: newId('rcy'),
    planId: plan.id,
    position,
    billingCount: cycle.billing_count,
    config,
    discount: readDiscount(cycle, currency, path),
    description: cycle.description ?? null,
    createdAt: plan.createdAt,
    updatedAt: plan.createdAt,
  }
}

export function refuseTooLarge(
  items: readonly CycleItem[],
  currency: string,
  path: string,
): Refused<'billing_amount_too_large'> | null {
  const gross = grossOf(items.map(pricedItem), currency)
  return parseMoney(currency, gross.toString()) instanceof Money
    ? null
    : { refused: 'billing_amount_too_large', param: `${path}.recurring_items` }
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

import { Money, sumMoney } from '#kernel/money'
import { codeByAmount } from '../../../twins/airwallex/test-cards.ts'
import { checkAttempts } from '../model/policy-model.ts'
import { COUPONS, PRICES_HKD_MINOR } from '../plan/draw-plans.ts'
import { type Accounts, type ApiPlan, type ExpectedPlan, MAX_LATENESS } from './accounts.ts'
import type { ApiOrder, ApiTransaction } from '../../acquirers/api-order.ts'
import { type Findings, isTransfer, moneyOf } from './check-accounts.ts'
import { paidByTransfer, usedCredit } from './check-given-back.ts'

/**
 * Every plan has exactly its due orders, each paid once, unless its card declines.
 * @param couponIds in the order of `COUPONS`
 */
export function checkPlans(
  accounts: Pick<Accounts, 'orders' | 'plans'>,
  expectedPlans: readonly ExpectedPlan[],
  couponIds: readonly string[],
): Findings {
  const plansByReference = new Map(accounts.plans.map((plan) => [plan.reference_number, plan]))
  const ordersByReference = Map.groupBy(accounts.orders, referenceOfPlan)
  return expectedPlans.flatMap((expected) => {
    const { name, card } = expected.life
    const plan = plansByReference.get(name)
    if (plan === undefined) return [`plan ${name} was created and is missing`]
    const orders = (ordersByReference.get(name) ?? []).toSorted((a, b) => suffixOf(a) - suffixOf(b))
    const periods = orders.filter(({ billing }) => billing?.kind !== 'change')
    const created = plan.recurring_cycles.reduce((sum, cycle) => sum + cycle.billing_count_created, 0)
    const findings = [
      ...checkSuffixes(orders),
      ...checkSequence(periods, expected),
      ...checkChanges(orders, expected),
      ...checkCoupons(plan, expected, couponIds),
      ...checkStates(orders, periods.length, plan.state, expected),
    ]
    if (created !== periods.length)
      findings.unshift(
        `billing_count_created is ${created}, but there are ${periods.length} orders of periods`,
      )
    return findings.map((finding) => `plan ${name} (card ${card}): ${finding}`)
  })
}

function referenceOfPlan({ reference_number: reference }: ApiOrder): string {
  return reference.replace(/-\d+$/, '')
}

function suffixOf(order: ApiOrder): number {
  return Number(order.reference_number.split('-').at(-1))
}

function checkSuffixes(orders: readonly ApiOrder[]): Findings {
  return orders.flatMap((order, index) =>
    suffixOf(order) === index + 1 ? [] : [`order ${index + 1} has the reference ${order.reference_number}`],
  )
}

function checkSequence(orders: readonly ApiOrder[], expected: ExpectedPlan): Findings {
  const findings: Findings = []
  for (const [index, order] of orders.entries()) {
    const period = expected.periods[index]
    if (period === undefined) {
      findings.push(`order ${index + 1}, created at ${order.created_at}, should not exist`)
      continue
    }
    const { dueAt, totalMinor } = period
    const lateness = dueAt.until(order.created_at)
    const isOnTime = lateness.sign >= 0 && Temporal.Duration.compare(lateness, MAX_LATENESS) <= 0
    if (!isOnTime)
      findings.push(`order ${index + 1} was due at ${dueAt.toString()} and created at ${order.created_at}`)
    const total = Money.ofMinor('HKD', totalMinor)
    const billed = moneyOf(order.currency, order.initial_total).plus(usedCredit(order))
    if (!billed.equals(total)) {
      findings.push(`the total of order ${index + 1} is ${billed.toString()}, expected ${total.toString()}`)
    }
  }
  return findings
}

/** Each change that billed a difference made one order, and what was given back is credited or refunded once. */
function checkChanges(orders: readonly ApiOrder[], expected: ExpectedPlan): Findings {
  const made = new Map(
    orders.flatMap((order) =>
      order.billing?.kind === 'change'
        ? [[order.number, moneyOf('HKD', order.initial_total).plus(usedCredit(order))] as const]
        : [],
    ),
  )
  const returned = new Set(expected.changes.map(({ order }) => order))
  const dropped = new Set(orders.flatMap((order) => (isDropped(order, expected) ? [order.number] : [])))
  const findings = [...made.keys()].flatMap((number) =>
    returned.has(number) || dropped.has(number) ? [] : [`${number} belongs to no change`],
  )
  if (!expected.isExact) return findings
  for (const { order = '', totalMinor, maxMinor } of expected.changes) {
    const total = made.get(order)
    if (total === undefined || total.minor < totalMinor || total.minor > maxMinor)
      findings.push(
        `a change made order ${order} of ${total?.toString()}, expected ${range(totalMinor, maxMinor)}`,
      )
  }
  const givenBack = givenBackBy(orders)
  const { givenBackMinor, maxGivenBackMinor } = expected
  // The note of a refund that failed stays.
  const leastMinor = givenBackMinor - sumOfRefunds(orders, isFailed).minor
  if (givenBack.minor < leastMinor || givenBack.minor > maxGivenBackMinor)
    findings.push(`${givenBack.toString()} were given back, expected ${range(leastMinor, maxGivenBackMinor)}`)
  return findings
}

function range(minMinor: bigint, maxMinor: bigint): string {
  const [min, max] = [minMinor, maxMinor].map((minor) => Money.ofMinor('HKD', minor).toString())
  return min === max ? String(min) : `${min} to ${max}`
}

/** Leaves out refunds by hand. */
function givenBackBy(orders: readonly ApiOrder[]): Money {
  const lowered = orders.map(({ billing }) => moneyOf('HKD', billing?.credited_total ?? 0))
  const refunded = orders.filter(({ state }) => state !== 'voided')
  return sumMoney('HKD', lowered).plus(sumOfRefunds(refunded, ({ success }) => success))
}

function sumOfRefunds(
  orders: readonly ApiOrder[],
  isCounted: (transaction: ApiTransaction) => boolean,
): Money {
  const refunds = orders
    .flatMap(({ transactions }) => transactions)
    .filter((one) => one.type === 'Refund' && one.reference_id === undefined && isCounted(one))
  return sumMoney(
    'HKD',
    refunds.map(({ amount }) => moneyOf('HKD', amount).abs()),
  )
}

function isFailed({ payment_data: data }: ApiTransaction): boolean {
  return data.transaction_state === 'failed'
}

/** A coupon that is used up leaves the plan with the next period. */
function checkCoupons(
  { coupons = [] }: ApiPlan,
  { couponUses, life }: ExpectedPlan,
  ids: readonly string[],
): Findings {
  if (life.card !== 'approves') return []
  const shown = new Map(coupons.map((coupon) => [ids.indexOf(coupon.id), coupon.periods_lowered]))
  const findings = [...shown].flatMap(([coupon, periods]) =>
    couponUses.get(coupon) === periods
      ? []
      : [`coupon ${coupon} lowered ${periods} periods, expected ${couponUses.get(coupon)}`],
  )
  for (const [coupon, uses] of couponUses) {
    if (!shown.has(coupon) && uses !== COUPONS[coupon]?.times) findings.push(`coupon ${coupon} is missing`)
  }
  return findings
}

function checkStates(
  orders: readonly ApiOrder[],
  periods: number,
  state: string,
  expected: ExpectedPlan,
): Findings {
  const { states, hasNewCard, life, leftUnpaid, timeOfDay } = expected
  const nextPeriod = orders.filter(({ billing }) => billing?.kind !== 'change')[leftUnpaid?.periods ?? 0]
  const isLeft = (order: ApiOrder): boolean =>
    leftUnpaid !== undefined &&
    isUntil(order.created_at, leftUnpaid.at) &&
    (nextPeriod === undefined || suffixOf(order) < suffixOf(nextPeriod))
  const ours = orders.filter((order) => !isLeft(order))
  const findings: Findings = [
    ...orders.filter(isLeft).flatMap((order) => checkLeft(order, leftUnpaid?.at)),
    ...(hasNewCard ? [] : ours.flatMap((order) => checkAttempts(order, life, timeOfDay))),
  ]
  if (expected.isUndecided || orders.some(isRefusedByAcquirers)) return findings
  if (!states.includes(state)) findings.push(`the plan is ${state}, expected ${states.join(' or ')}`)
  const isCollected = life.card === 'approves' || (hasNewCard && ['active', 'completed'].includes(state))
  if (isCollected && periods !== expected.periods.length) {
    findings.push(`the plan has ${periods} orders, expected ${expected.periods.length}`)
  }
  for (const order of ours) {
    if (isCollected && state !== 'paused') findings.push(...checkPaid(order, expected))
    else if (!isCollected && !hasNewCard) findings.push(...checkUnpaid(order, expected))
  }
  return findings
}

function isUntil(time: string, end: Temporal.Instant): boolean {
  return Temporal.Instant.compare(time, end) <= 0
}

/** Whether the order is of a change that was to be paid first, and was not. */
function isDropped(
  { number, state, billing, paid_total: paid }: ApiOrder,
  { changes }: ExpectedPlan,
): boolean {
  const isOfChange = billing?.kind === 'change' && !changes.some(({ order }) => order === number)
  return isOfChange && state === 'voided' && Number(paid) === 0
}

/**
 * What was credited while the order was unpaid is not paid. If nothing is left the order is voided, unless something
 * was paid, be it with credit of the plan.
 */
function checkPaid(order: ApiOrder, expected: ExpectedPlan): Findings {
  const {
    life: { invoicing },
    voided,
    overpaid,
  } = expected
  const none = Money.zero(order.currency)
  if (isDropped(order, expected)) return compare(order, 'voided', none)
  const credited = moneyOf(order.currency, order.billing?.credited_total ?? 0)
  const lowered = credited.minus(Money.ofMinor(order.currency, overpaid.get(order.number) ?? 0n))
  const due = moneyOf(order.currency, order.initial_total).minus(lowered)
  const isGivenUp = due.isZero() && !lowered.isZero() && !usedCredit(order).isPositive()
  if (voided.has(order.number) || isGivenUp) return compare(order, 'voided', none)
  if (invoicing?.isSent === true && !due.isZero()) {
    const paid = paidByTransfer(order)
    // What a note made overpaid is not owed once its transfer is returned.
    return compare(order, paid.lessThan(dueOf(order)) ? 'open' : 'completed', paid)
  }
  const refunded = refundedBy(order)
  const isRefunded = !refunded.isZero() && refunded.equals(due)
  return compare(order, isRefunded ? 'refunded' : 'completed', due.minus(refunded))
}

function dueOf({ currency, initial_total: total, billing }: ApiOrder): Money {
  return moneyOf(currency, total).minus(moneyOf(currency, billing?.credited_total ?? 0))
}

/** Credit may leave so little of an order that no acquirer accepts the charge, or an amount that Airwallex's sandbox declines. */
function isRefusedByAcquirers(order: ApiOrder): boolean {
  const { minor } = dueOf(order)
  const isTooLittle = minor > 0n && minor < PRICES_HKD_MINOR[0]
  return (isTooLittle || codeByAmount(minor) !== null) && order.paid_total === '0.00'
}

function refundedBy({ currency, transactions }: ApiOrder): Money {
  const refunds = transactions.filter(({ type, success }) => type === 'Refund' && success)
  return sumMoney(
    currency,
    refunds.map(({ amount }) => moneyOf(currency, amount).abs()),
  )
}

function checkUnpaid(order: ApiOrder, { life }: ExpectedPlan): Findings {
  return compare(order, life.gracePeriod === null ? 'open' : 'voided', Money.zero(order.currency))
}

function compare({ reference_number: reference, ...order }: ApiOrder, state: string, paid: Money): Findings {
  const findings: Findings = []
  if (order.state !== state) findings.push(`${reference} is ${order.state}, expected ${state}`)
  if (order.paid_total !== paid.toString())
    findings.push(`${reference} has ${order.paid_total} paid, expected ${paid.toString()}`)
  return findings
}

/** Checks an order that was unpaid when its plan was canceled. A transfer may still arrive. */
function checkLeft(
  { reference_number: reference, transactions }: ApiOrder,
  canceledAt: Temporal.Instant | undefined,
): Findings {
  const charges = transactions.filter((transaction) => !isTransfer(transaction))
  return charges.flatMap(({ type, uuid, created_at: created }) =>
    type === 'Sales' && canceledAt !== undefined && !isUntil(created, canceledAt)
      ? [`${reference} was attempted with ${uuid} at ${created}, after its plan was canceled`]
      : [],
  )
}

import { Money, sumMoney } from '#kernel/money'
import type { BookLine } from '../../../src/modules/acquirers/testing/simulator.ts'
import type { Accounts, ApiOrder, ApiTransaction, ExpectedPlan } from './accounts.ts'

export type Findings = string[]

const BOOK_OPERATIONS: Readonly<Record<ApiTransaction['type'], string>> = {
  Sales: 'sale',
  Authorization: 'authorization',
  Capture: 'capture',
  Refund: 'refund',
}

const APPROVED_STATES = new Set(['succeeded', 'authorized', 'voided', 'expired'])

export function checkResolved(orders: readonly ApiOrder[]): Findings {
  return orders.flatMap((order) =>
    order.transactions
      .filter((transaction) => transaction.is_pending || transaction.void_is_pending)
      .map(
        ({ uuid, payment_data: { transaction_state: state }, void_is_pending: isVoiding }) =>
          `${order.number}: transaction ${uuid} is still ${isVoiding ? 'being voided' : state} after two hours`,
      ),
  )
}

/** Compares the simulator's books with the transactions. Each side must have each amount exactly once. */
export function checkBooks({ orders, books }: Pick<Accounts, 'orders' | 'books'>): Findings {
  const findings: Findings = []
  const lines = new Map<string, BookLine>()
  const voidCounts = new Map<string, number>()
  for (const line of books) {
    if (lines.has(line.key)) findings.push(`the books have ${line.key} twice`)
    lines.set(line.key, line)
    if (line.operation === 'void' && line.outcome === 'approved') {
      const original = line.original_key ?? ''
      voidCounts.set(original, (voidCounts.get(original) ?? 0) + 1)
    }
  }
  const transactionIds = new Set<string>()
  for (const order of orders) {
    for (const transaction of order.transactions) {
      transactionIds.add(transaction.uuid)
      findings.push(
        ...checkTransaction(transaction, lines.get(transaction.uuid)).map(
          (finding) => `${order.number}: ${finding}`,
        ),
      )
      const voids = voidCounts.get(transaction.uuid) ?? 0
      const expected = transaction.payment_data.transaction_state === 'voided' ? 1 : 0
      if (voids !== expected) {
        findings.push(
          `${order.number}: the books have ${voids} voids of ${transaction.uuid}, expected ${expected}`,
        )
      }
    }
    findings.push(...checkPaidTotal(order, lines, voidCounts))
  }
  for (const line of books) {
    const key = line.operation === 'void' ? (line.original_key ?? '') : line.key
    if (!transactionIds.has(key))
      findings.push(`the books have ${line.operation} ${line.key}, which belongs to no order`)
  }
  return findings
}

function checkTransaction(transaction: ApiTransaction, line: BookLine | undefined): Findings {
  const { uuid, type, currency } = transaction
  const state = transaction.payment_data.transaction_state
  const isApproved = APPROVED_STATES.has(state)
  if (line === undefined) return isApproved ? [`${uuid} is ${state} but missing from the books`] : []
  const findings: Findings = []
  const amount = moneyOf(currency, transaction.amount).abs().toString()
  if (line.operation !== BOOK_OPERATIONS[type])
    findings.push(`${uuid} is ${type} here and ${line.operation} in the books`)
  if (line.currency !== currency || line.amount !== amount) {
    findings.push(`${uuid} is ${currency} ${amount} here and ${line.currency} ${line.amount} in the books`)
  }
  if ((line.outcome === 'approved') !== isApproved)
    findings.push(`${uuid} is ${state} here and ${line.outcome} in the books`)
  return findings
}

function checkPaidTotal(
  order: ApiOrder,
  lines: ReadonlyMap<string, BookLine>,
  voidCounts: ReadonlyMap<string, number>,
): Findings {
  const { currency } = order
  const amounts = order.transactions.map(({ uuid }) => {
    const line = lines.get(uuid)
    const counts = line?.outcome === 'approved' && line.currency === currency && !voidCounts.has(uuid)
    if (!counts || line.operation === 'authorization') return Money.zero(currency)
    const amount = Money.ofDecimal(line.currency, line.amount)
    return line.operation === 'refund' ? amount.negated() : amount
  })
  const total = sumMoney(currency, amounts).toString()
  return total === order.paid_total
    ? []
    : [`${order.number}: paid_total is ${order.paid_total}, but the books add up to ${total}`]
}

/** A billing may be late by the time that the service was down while the clock ran. No billing may be early. */
const MAX_LATENESS = Temporal.Duration.from({ minutes: 10 })

/** Every plan has exactly its due orders, each paid once, unless its card declines. */
export function checkPlans(
  accounts: Pick<Accounts, 'orders' | 'plans'>,
  expectedPlans: readonly ExpectedPlan[],
): Findings {
  const plansByReference = new Map(accounts.plans.map((plan) => [plan.reference_number, plan]))
  const ordersByReference = new Map<string, ApiOrder[]>()
  for (const order of accounts.orders) {
    const [, reference] = /^(.*)-\d+$/.exec(order.reference_number) ?? []
    if (reference === undefined || !plansByReference.has(reference)) continue
    const orders = ordersByReference.get(reference)
    if (orders === undefined) ordersByReference.set(reference, [order])
    else orders.push(order)
  }
  return expectedPlans.flatMap((expected) => {
    const plan = plansByReference.get(expected.reference)
    if (plan === undefined) return [`plan ${expected.reference} was created and is missing`]
    const orders = (ordersByReference.get(expected.reference) ?? []).toSorted(
      (a, b) => suffixOf(a) - suffixOf(b),
    )
    const periods = orders.filter(({ billing }) => billing?.kind !== 'change')
    const created = plan.recurring_cycles.reduce((sum, cycle) => sum + cycle.billing_count_created, 0)
    const findings = [
      ...checkSuffixes(orders),
      ...checkSequence(periods, expected),
      ...checkChanges(orders, expected),
      ...checkFinalStates(orders, periods.length, plan.state, expected),
    ]
    if (created !== periods.length)
      findings.unshift(
        `billing_count_created is ${created}, but there are ${periods.length} orders of periods`,
      )
    return findings.map((finding) => `plan ${expected.reference} (card ${expected.cardBehavior}): ${finding}`)
  })
}

function suffixOf(order: ApiOrder): number {
  return Number(order.reference_number.split('-').at(-1))
}

function checkSuffixes(orders: readonly ApiOrder[]): Findings {
  return orders.flatMap((order, index) =>
    suffixOf(order) === index + 1 ? [] : [`order ${index + 1} has the reference ${order.reference_number}`],
  )
}

/** Each change that billed a difference made one order, with the total that was answered. */
function checkChanges(orders: readonly ApiOrder[], { changeOrders }: ExpectedPlan): Findings {
  const made = new Map(
    orders.flatMap(({ number, billing, initial_total }) =>
      billing?.kind === 'change' ? [[number, initial_total]] : [],
    ),
  )
  return [
    ...[...changeOrders].flatMap(([number, total]) =>
      made.get(number) === total
        ? []
        : [`a change answered order ${number} of ${total}, found ${made.get(number)}`],
    ),
    ...[...made.keys()].flatMap((number) =>
      changeOrders.has(number) ? [] : [`${number} belongs to no change`],
    ),
  ]
}

function checkSequence(orders: readonly ApiOrder[], expected: ExpectedPlan): Findings {
  const findings: Findings = []
  for (const [index, order] of orders.entries()) {
    const dueAt = expected.dueTimes[index]
    if (dueAt === undefined) {
      findings.push(`order ${index + 1}, created at ${order.created_at}, should not exist`)
      continue
    }
    const lateness = dueAt.until(order.created_at)
    const isOnTime = lateness.sign >= 0 && Temporal.Duration.compare(lateness, MAX_LATENESS) <= 0
    if (!isOnTime)
      findings.push(`order ${index + 1} was due at ${dueAt.toString()} and created at ${order.created_at}`)
    const price = Money.ofMinor('HKD', expected.priceMinorAt(dueAt))
    if (!moneyOf(order.currency, order.initial_total).equals(price)) {
      findings.push(`the total of order ${index + 1} is ${order.initial_total}, expected ${price.toString()}`)
    }
  }
  return findings
}

function checkFinalStates(
  orders: readonly ApiOrder[],
  periods: number,
  state: string,
  expected: ExpectedPlan,
): Findings {
  if (expected.isUndecided === true) return []
  const findings: Findings = []
  const approves = expected.cardBehavior === 'approves'
  const running = expected.dueTimes.length === 0 ? 'upcoming' : 'active'
  const expectedState = approves ? (expected.isCompleted ? 'completed' : running) : 'uncollectible'
  if (state !== expectedState) findings.push(`the plan is ${state}, expected ${expectedState}`)
  if (approves && periods !== expected.dueTimes.length) {
    findings.push(`the plan has ${periods} orders, expected ${expected.dueTimes.length}`)
  }
  const unpaidState = expected.gracePeriod === null ? 'open' : 'voided'
  for (const order of orders) {
    // What a change credited while the order was unpaid is not paid. Of nothing left the order is voided.
    const credited = moneyOf(order.currency, order.billing?.credited_total ?? 0)
    const due = moneyOf(order.currency, order.initial_total).minus(credited)
    const orderState = approves ? (due.isZero() && !credited.isZero() ? 'voided' : 'completed') : unpaidState
    const paid = (approves ? due : Money.zero(order.currency)).toString()
    if (order.state !== orderState)
      findings.push(`${order.reference_number} is ${order.state}, expected ${orderState}`)
    if (order.paid_total !== paid)
      findings.push(`${order.reference_number} has ${order.paid_total} paid, expected ${paid}`)
  }
  return findings
}

/** Each object's events are numbered 1, 2, 3 …; each creation and each outcome has exactly one event. */
export function checkEvents({ orders, events }: Pick<Accounts, 'orders' | 'events'>): Findings {
  const findings: Findings = []
  const sequences = new Map<string, number[]>()
  const uniqueEvents = new Map<string, number>()
  for (const event of events) {
    const sequence = sequences.get(event.object_id)
    if (sequence === undefined) sequences.set(event.object_id, [event.sequence])
    else sequence.push(event.sequence)
    const key = uniqueEventKey(event)
    if (key !== null) uniqueEvents.set(key, (uniqueEvents.get(key) ?? 0) + 1)
  }
  for (const [object, sequence] of sequences) {
    const hasNoGap = sequence.toSorted((a, b) => a - b).every((number, index) => number === index + 1)
    if (!hasNoGap) findings.push(`the events of ${object} are not numbered 1 to ${sequence.length}`)
  }
  for (const [key, times] of uniqueEvents) if (times > 1) findings.push(`there are ${times} events ${key}`)
  for (const order of orders) {
    if (!uniqueEvents.has(`order.created ${order.number}`))
      findings.push(`${order.number} has no order.created`)
    for (const { uuid, type, payment_data: data } of order.transactions) {
      if (data.transaction_state === 'succeeded' && !uniqueEvents.has(`transaction.succeeded ${uuid}`)) {
        findings.push(`${order.number}: ${type} ${uuid} succeeded without an event`)
      }
    }
  }
  return findings
}

const UNIQUE_PER_TRANSACTION = new Set(['transaction.succeeded', 'transaction.failed', 'transaction.voided'])

function uniqueEventKey(event: Accounts['events'][number]): string | null {
  if (event.type === 'order.created') return `order.created ${event.object_id}`
  if (!UNIQUE_PER_TRANSACTION.has(event.type)) return null
  return `${event.type} ${event.data.transaction?.uuid ?? event.id}`
}

/** A parsed JSON number keeps every digit: no amount here has more than 15. */
function moneyOf(currency: string, amount: number): Money {
  return Money.ofDecimal(currency, String(amount))
}

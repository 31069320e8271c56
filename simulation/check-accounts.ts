import { Money, sumMoney } from '#kernel/money'
import type { BookLine } from '../src/modules/acquirers/testing/simulator.ts'
import type { Accounts, ExpectedOrder, ExpectedPlan, ShownOrder, ShownTransaction } from './accounts.ts'

/** What is wrong, a sentence each; none when both sides agree. Pure. */
export type Findings = string[]

const OPERATION_OF: Readonly<Record<ShownTransaction['type'], string>> = {
  Sales: 'sale',
  Authorization: 'authorization',
  Capture: 'capture',
  Refund: 'refund',
}

/** States in which the acquirer has approved. */
const APPROVED_STATES = new Set(['succeeded', 'authorized', 'voided', 'expired'])

/** Every transaction whose outcome is open. */
export function checkResolved(orders: readonly ShownOrder[]): Findings {
  return orders.flatMap((order) =>
    order.transactions
      .filter((transaction) => transaction.is_pending || transaction.void_is_pending)
      .map(
        ({ uuid, payment_data: { transaction_state: state }, void_is_pending: isVoiding }) =>
          `${order.number}: transaction ${uuid} is ${isVoiding ? 'being voided' : state} two hours later`,
      ),
  )
}

/** The simulator's books against the transactions: each amount once, nothing that the other side does not know. */
export function checkBooks({ orders, books }: Pick<Accounts, 'orders' | 'books'>): Findings {
  const findings: Findings = []
  const booked = new Map<string, BookLine>()
  const voidsOf = new Map<string, number>()
  for (const line of books) {
    if (booked.has(line.key)) findings.push(`the books have ${line.key} twice`)
    booked.set(line.key, line)
    if (line.operation === 'void' && line.outcome === 'approved') {
      const original = line.original_key ?? ''
      voidsOf.set(original, (voidsOf.get(original) ?? 0) + 1)
    }
  }
  const known = new Set<string>()
  for (const order of orders) {
    for (const transaction of order.transactions) {
      known.add(transaction.uuid)
      findings.push(
        ...checkTransaction(transaction, booked.get(transaction.uuid)).map(
          (what) => `${order.number}: ${what}`,
        ),
      )
      const voids = voidsOf.get(transaction.uuid) ?? 0
      const expected = transaction.payment_data.transaction_state === 'voided' ? 1 : 0
      if (voids !== expected) {
        findings.push(
          `${order.number}: ${transaction.uuid} is voided ${voids} times in the books, not ${expected}`,
        )
      }
    }
    findings.push(...checkPaidTotal(order, booked, voidsOf))
  }
  for (const line of books) {
    const key = line.operation === 'void' ? (line.original_key ?? '') : line.key
    if (!known.has(key)) findings.push(`the books have ${line.operation} ${line.key}, which no order knows`)
  }
  return findings
}

function checkTransaction(transaction: ShownTransaction, line: BookLine | undefined): Findings {
  const { uuid, type, currency } = transaction
  const state = transaction.payment_data.transaction_state
  const isApproved = APPROVED_STATES.has(state)
  if (line === undefined) return isApproved ? [`${uuid} is ${state} and not in the books`] : []
  const findings: Findings = []
  const amount = moneyOf(currency, transaction.amount).abs().toString()
  if (line.operation !== OPERATION_OF[type])
    findings.push(`${uuid} is ${type} here and ${line.operation} there`)
  if (line.currency !== currency || line.amount !== amount) {
    findings.push(`${uuid} is ${currency} ${amount} here and ${line.currency} ${line.amount} there`)
  }
  if ((line.outcome === 'approved') !== isApproved)
    findings.push(`${uuid} is ${state} here and ${line.outcome} there`)
  return findings
}

/** `paid_total` from the books alone, by the keys of the order's transactions. */
function checkPaidTotal(
  order: ShownOrder,
  booked: ReadonlyMap<string, BookLine>,
  voidsOf: ReadonlyMap<string, number>,
): Findings {
  const { currency } = order
  const moved = order.transactions.map(({ uuid }) => {
    const line = booked.get(uuid)
    const stands = line?.outcome === 'approved' && line.currency === currency && !voidsOf.has(uuid)
    if (!stands || line.operation === 'authorization') return Money.zero(currency)
    const amount = Money.ofDecimal(line.currency, line.amount)
    return line.operation === 'refund' ? amount.negated() : amount
  })
  const total = sumMoney(currency, moved).toString()
  return total === order.paid_total
    ? []
    : [`${order.number}: paid_total is ${order.paid_total}, by the books it is ${total}`]
}

/** Every order of the merchant is paid once, less what was given back. */
export function checkOrders(orders: readonly ShownOrder[], expected: readonly ExpectedOrder[]): Findings {
  const byNumber = new Map(orders.map((order) => [order.number, order]))
  return expected.flatMap((known) => {
    const order = byNumber.get(known.number)
    if (order === undefined) return [`${known.number} was created and is gone`]
    const paid = Money.ofMinor(known.currency, known.paidMinor).toString()
    const state = known.isRefunded ? 'refunded' : 'completed'
    return order.paid_total === paid && order.state === state
      ? []
      : [
          `${known.number} is ${order.state} with ${order.paid_total} paid; it should be ${state} with ${paid}`,
        ]
  })
}

/** Late when the service was down while the clock ran by itself; never early. */
const LATEST_BILLING = Temporal.Duration.from({ minutes: 10 })

/** Every plan has made exactly its orders, each paid once, or has given up as its card commands. */
export function checkPlans(
  accounts: Pick<Accounts, 'orders' | 'plans'>,
  expected: readonly ExpectedPlan[],
): Findings {
  const planOf = new Map(accounts.plans.map((plan) => [plan.reference_number, plan]))
  const ordersOf = new Map<string, ShownOrder[]>()
  for (const order of accounts.orders) {
    const [, reference] = /^(.*)-\d+$/.exec(order.reference_number) ?? []
    if (reference === undefined || !planOf.has(reference)) continue
    const orders = ordersOf.get(reference)
    if (orders === undefined) ordersOf.set(reference, [order])
    else orders.push(order)
  }
  return expected.flatMap((known) => {
    const plan = planOf.get(known.reference)
    if (plan === undefined) return [`plan ${known.reference} was created and is gone`]
    const orders = (ordersOf.get(known.reference) ?? []).toSorted((a, b) => suffixOf(a) - suffixOf(b))
    const created = plan.recurring_cycles.reduce((sum, cycle) => sum + cycle.billing_count_created, 0)
    const counted =
      created === orders.length ? [] : [`billing_count_created is ${created} of ${orders.length} orders`]
    const findings = [...counted, ...checkSequence(orders, known), ...checkEnd(orders, plan.state, known)]
    return findings.map((what) => `plan ${known.reference} (${known.nature}): ${what}`)
  })
}

function suffixOf(order: ShownOrder): number {
  return Number(order.reference_number.split('-').at(-1))
}

/** Suffixes 1, 2, 3 … and each order at its own time. */
function checkSequence(orders: readonly ShownOrder[], known: ExpectedPlan): Findings {
  const findings: Findings = []
  for (const [index, order] of orders.entries()) {
    if (suffixOf(order) !== index + 1)
      findings.push(`order ${index + 1} has the reference ${order.reference_number}`)
    const dueAt = known.dueAt[index]
    if (dueAt === undefined) {
      findings.push(`order ${index + 1} of ${order.created_at} should not be there`)
      continue
    }
    const lateness = dueAt.until(order.created_at)
    const isInTime = lateness.sign >= 0 && Temporal.Duration.compare(lateness, LATEST_BILLING) <= 0
    if (!isInTime)
      findings.push(`order ${index + 1} was due at ${dueAt.toString()} and made at ${order.created_at}`)
    const price = Money.ofMinor('HKD', known.priceMinor)
    if (!moneyOf(order.currency, order.initial_total).equals(price)) {
      findings.push(`order ${index + 1} is of ${order.initial_total}, not ${price.toString()}`)
    }
  }
  return findings
}

function checkEnd(orders: readonly ShownOrder[], state: string, known: ExpectedPlan): Findings {
  const findings: Findings = []
  const approves = known.nature === 'approves'
  const expectedState = approves ? (known.isOver ? 'completed' : 'active') : 'uncollectible'
  if (state !== expectedState) findings.push(`it is ${state}, not ${expectedState}`)
  if (approves && orders.length !== known.dueAt.length) {
    findings.push(`it has ${orders.length} orders, not ${known.dueAt.length}`)
  }
  const orderState = approves ? 'completed' : known.gracePeriod === null ? 'open' : 'voided'
  const paid = Money.ofMinor('HKD', approves ? known.priceMinor : 0n).toString()
  for (const order of orders) {
    if (order.state !== orderState)
      findings.push(`${order.reference_number} is ${order.state}, not ${orderState}`)
    if (order.paid_total !== paid)
      findings.push(`${order.reference_number} has ${order.paid_total} paid, not ${paid}`)
  }
  return findings
}

/** Each object's events count 1, 2, 3 …; an order is created and an outcome is told once. */
export function checkEvents({ orders, events }: Pick<Accounts, 'orders' | 'events'>): Findings {
  const findings: Findings = []
  const sequences = new Map<string, number[]>()
  const told = new Map<string, number>()
  for (const event of events) {
    const sequence = sequences.get(event.object_id)
    if (sequence === undefined) sequences.set(event.object_id, [event.sequence])
    else sequence.push(event.sequence)
    const what = onceOf(event)
    if (what !== null) told.set(what, (told.get(what) ?? 0) + 1)
  }
  for (const [object, sequence] of sequences) {
    const isWhole = sequence.toSorted((a, b) => a - b).every((number, index) => number === index + 1)
    if (!isWhole) findings.push(`the events of ${object} are not 1 to ${sequence.length}`)
  }
  for (const [what, times] of told) if (times > 1) findings.push(`${what} is told ${times} times`)
  for (const order of orders) {
    if (!told.has(`order.created ${order.number}`)) findings.push(`${order.number} has no order.created`)
    for (const { uuid, type, payment_data: data } of order.transactions) {
      if (data.transaction_state === 'succeeded' && !told.has(`transaction.succeeded ${uuid}`)) {
        findings.push(`${order.number}: ${type} ${uuid} succeeded without an event`)
      }
    }
  }
  return findings
}

const ONCE_A_TRANSACTION = new Set(['transaction.succeeded', 'transaction.failed', 'transaction.voided'])

function onceOf(event: Accounts['events'][number]): string | null {
  if (event.type === 'order.created') return `order.created ${event.object_id}`
  if (!ONCE_A_TRANSACTION.has(event.type)) return null
  return `${event.type} ${event.data.transaction?.uuid ?? event.id}`
}

/** The double that JSON gave has the digits that were written: no amount here has more than 15. */
function moneyOf(currency: string, amount: number): Money {
  return Money.ofDecimal(currency, String(amount))
}

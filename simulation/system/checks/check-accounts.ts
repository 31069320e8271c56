import { Money, sumMoney } from '#kernel/money'
import type { BookLine } from '../../../src/modules/acquirers/testing/simulator.ts'
import type { Accounts } from './accounts.ts'
import type { ApiOrder, ApiTransaction } from '../../acquirers/api-order.ts'

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
      if (isTransfer(transaction)) continue
      const line = lines.get(transaction.uuid)
      const voids = voidCounts.get(transaction.uuid) ?? 0
      if (voids === 1 && isReleased(transaction, line)) continue
      findings.push(...checkTransaction(transaction, line).map((finding) => `${order.number}: ${finding}`))
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

/** The confirmation arrived between the inquiry that saw none and its cancellation, which then released the hold. */
function isReleased({ type, decline_code: code }: ApiTransaction, line: BookLine | undefined): boolean {
  return type === 'Authorization' && code === 'not_processed' && line?.operation === 'authorization'
}

/**
 * No acquirer knows a transfer or what was recorded by hand. `checkGivenBack` compares transfers with the entries of the bank, and
 * `checkDesk` what was recorded by hand with the model.
 */
export function isTransfer({ payment_data: data }: ApiTransaction): boolean {
  return data.acquirer_type === 'bank' || data.acquirer_type === 'manual'
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
  const amounts = order.transactions.map((transaction) => {
    const { uuid, success } = transaction
    if (isTransfer(transaction)) return success ? moneyOf(currency, transaction.amount) : Money.zero(currency)
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
export function moneyOf(currency: string, amount: number): Money {
  return Money.ofDecimal(currency, String(amount))
}

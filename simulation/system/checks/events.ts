import { Money } from '#kernel/money'
import type { ApiOrder, ApiTransaction } from '../../acquirers/api-order.ts'
import type { Message } from '../world/receiver.ts'

type Known = 'pending' | 'succeeded' | 'failed' | 'voided' | 'expired'

/** Checks the sequence of one order's events against `reference/events#types`. */
class OrderHistory {
  readonly findings: string[] = []
  paid: Money | undefined
  readonly transactions = new Map<string, Known>()
  last: ApiOrder | undefined
  /** The next event must have one of these types. */
  #next: readonly string[] | undefined = ['order.created']
  /** The events that must follow a movement of money. Events of other transactions may come first. */
  #orderEvents: readonly string[] | undefined

  get isComplete(): boolean {
    return this.#next === undefined && this.#orderEvents === undefined
  }

  read({ type, sequence, data }: Message): void {
    const order = data['order'] as ApiOrder
    const transaction = data['transaction'] as ApiTransaction | undefined
    const next = this.#next ?? (type.startsWith('order.') ? this.#orderEvents : undefined)
    if (next?.includes(type) === false) {
      this.findings.push(`event ${sequence} is ${type}, expected ${next.join(' or ')}`)
    }
    this.#next = undefined
    if (type.startsWith('order.')) this.#orderEvents = undefined
    this.last = order
    this.paid ??= Money.zero(order.currency)
    if (transaction === undefined) return
    this.#readTransaction(type, sequence, transaction)
  }

  #readTransaction(type: string, sequence: number, transaction: ApiTransaction): void {
    const { uuid } = transaction
    const before = this.transactions.get(uuid)
    const isMoney = transaction.type !== 'Authorization'
    switch (type) {
      case 'transaction.succeeded':
        this.#require(before === undefined || before === 'pending', sequence, type, before)
        if (isMoney) this.#move(transaction, 1n, transaction.type === 'Refund' ? AFTER_REFUND : AFTER_PAYMENT)
        this.transactions.set(uuid, 'succeeded')
        return
      case 'transaction.failed':
        if (before === 'succeeded' && transaction.decline_code === FAILED_LATER) {
          if (isMoney) this.#move(transaction, -1n, AFTER_VOID)
        } else this.#require(before === undefined || before === 'pending', sequence, type, before)
        this.transactions.set(uuid, 'failed')
        return
      case 'transaction.voided':
        this.#require(before === 'succeeded' || before === 'pending', sequence, type, before)
        if (transaction.payment_data.transaction_state === 'expired') {
          this.transactions.set(uuid, 'expired')
          return
        }
        if (isMoney) this.#move(transaction, -1n, AFTER_VOID)
        this.transactions.set(uuid, 'voided')
        return
      case 'transaction.pending':
        // A pending void does not change the payment's state.
        this.#require(before !== 'failed' && before !== 'voided', sequence, type, before)
        if (before === undefined) this.transactions.set(uuid, 'pending')
        return
      case 'transaction.resolved':
        this.#require(before === 'pending' || before === 'succeeded', sequence, type, before)
        // A failed void does not change the payment's state.
        if (before === 'succeeded' && FINAL[transaction.payment_data.transaction_state] === before) return
        this.#next = [
          'transaction.succeeded',
          'transaction.failed',
          'transaction.voided',
          'transaction.pending',
          'order.updated',
        ]
    }
  }

  #move({ currency, amount }: ApiTransaction, sign: bigint, orderEvents: readonly string[]): void {
    const moved = Money.ofDecimal(currency, String(amount))
    this.paid = sign > 0n ? this.paid?.plus(moved) : this.paid?.minus(moved)
    this.#orderEvents = orderEvents
  }

  #require(holds: boolean, sequence: number, type: string, before: Known | undefined): void {
    if (!holds)
      this.findings.push(`event ${sequence} is ${type} of a transaction that was ${before ?? 'unknown'}`)
  }
}

/** Adyen accepts a capture before it knows whether it can capture (reference/acquirers#adyen). */
const FAILED_LATER = 'failed_later'

const AFTER_PAYMENT = ['order.paid', 'order.updated', 'order.voided']
/** An order whose time is over expires once none of it is paid. */
const AFTER_REFUND = ['order.updated', 'order.refunded', 'order.voided', 'order.expired']
const AFTER_VOID = ['order.updated', 'order.voided', 'order.expired']

const FINAL: Readonly<Record<string, Known>> = {
  succeeded: 'succeeded',
  authorized: 'succeeded',
  failed: 'failed',
  voided: 'voided',
  expired: 'expired',
}

/** A merchant who only follows the webhooks must have the same books as the service. */
export function checkFollower(taken: Iterable<Message>, orders: readonly ApiOrder[]): string[] {
  const histories = new Map<string, OrderHistory>()
  const inOrder = [...taken].toSorted((a, b) => a.sequence - b.sequence)
  for (const message of inOrder) {
    if (!/^(order|transaction)\./.test(message.type)) continue
    const history = histories.get(message.object_id) ?? new OrderHistory()
    histories.set(message.object_id, history)
    history.read(message)
  }
  return orders.flatMap((order) => {
    const history = histories.get(order.number)
    if (history?.last === undefined) return [`${order.number}: its webhooks report nothing`]
    const findings = [...history.findings]
    if (!history.isComplete) findings.push('its webhooks end before what must follow the last one')
    const { last, paid } = history
    if (paid?.toString() !== order.paid_total) {
      findings.push(`webhooks add up to ${paid?.toString()}, and paid_total is ${order.paid_total}`)
    }
    const reported = [last.state, last.paid_total, last.correspondence_state].join(' ')
    const shown = [order.state, order.paid_total, order.correspondence_state].join(' ')
    if (reported !== shown) findings.push(`its last webhook says ${reported}, and the order is ${shown}`)
    for (const { uuid, payment_data: data } of order.transactions) {
      const known = history.transactions.get(uuid)
      if (known !== FINAL[data.transaction_state]) {
        findings.push(`${uuid} is ${known ?? 'unknown'} by its webhooks, and is ${data.transaction_state}`)
      }
    }
    return findings.map((finding) => `${order.number}: ${finding}`)
  })
}

interface ListedEvent {
  readonly id: string
  readonly type: string
  readonly sequence: number
  readonly data: unknown
}

/** Each event has been delivered to an endpoint that takes all types, with the content that the list shows. */
export function checkDelivered(
  taken: ReadonlyMap<string, Message>,
  events: readonly ListedEvent[],
): string[] {
  const findings: string[] = []
  const listed = new Set<string>()
  for (const { id, type, sequence, data } of events) {
    listed.add(id)
    const message = taken.get(id)
    if (message === undefined) findings.push(`${type} ${id} was never delivered`)
    else if (message.type !== type || message.sequence !== sequence || !isSame(message.data, data))
      findings.push(`${type} ${id} was delivered as something else`)
  }
  for (const { id, type } of taken.values()) {
    if (!listed.has(id)) findings.push(`${type} ${id} was delivered, and the list does not have it`)
  }
  return findings
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

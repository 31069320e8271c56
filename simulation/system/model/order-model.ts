import { Money } from '#kernel/money'
import type { ApiOrder, ApiTransaction } from '../../acquirers/api-order.ts'
import type { OrderLife } from '../plan/draw-orders.ts'

export type TransactionType = ApiTransaction['type']
export type Outcome = 'absent' | 'failed' | 'succeeded' | 'voided' | 'expired'

const OUTCOMES: Readonly<Record<string, Outcome>> = {
  failed: 'failed',
  authorized: 'succeeded',
  succeeded: 'succeeded',
  voided: 'voided',
  expired: 'expired',
}
/** An Authorization lapses after seven days. */
const AUTHORIZATION_LIFE = Temporal.Duration.from({ hours: 7 * 24 })

export interface ModelTransaction {
  /** Our `reference_id`, or the uuid of a transaction that a page or a bulk action made. */
  readonly reference: string
  readonly type: TransactionType
  readonly amountMinor: bigint
  /** The transaction of which a Capture or Refund is a part. */
  readonly original?: ModelTransaction
  /** The possible outcomes; one, once it is known. */
  outcomes: ReadonlySet<Outcome>
  uuid?: string
}

export interface SentRequest {
  readonly path: string
  readonly body: object
  readonly key: string
  /** The transaction of the first response. */
  readonly uuid: string | undefined
}

/** One order in the merchant's own books. */
export class OrderModel {
  readonly life: OrderLife
  readonly number: string
  readonly createdAt: Temporal.Instant
  readonly transactions: ModelTransaction[] = []
  readonly requests: SentRequest[] = []
  /** How often the payer sent a form of the payment page. */
  pageForms = 0
  /** Bulk actions that may have refunded it. */
  bulkRefunds = 0
  voiding: 'no' | 'maybe' | 'yes' = 'no'
  #active = 0
  #begun = 0

  constructor(life: OrderLife, number: string, createdAt: Temporal.Instant) {
    this.life = life
    this.number = number
    this.createdAt = createdAt
  }

  /** Begins a step. Returns a function that ends it and says whether no other step was active meanwhile. */
  begin(): () => boolean {
    const begun = ++this.#begun
    const wasAlone = ++this.#active === 1
    return () => {
      this.#active--
      return wasAlone && begun === this.#begun
    }
  }

  /** Whether every outcome is known, so that the next response can be predicted. */
  get isKnown(): boolean {
    return this.voiding !== 'maybe' && this.transactions.every(({ outcomes }) => outcomes.size === 1)
  }

  get totalMinor(): bigint {
    return BigInt(this.life.totalMinor)
  }

  /** Whether the hold or the order may have expired. */
  get mayExpire(): boolean {
    return this.life.timeoutS !== null || this.live('Authorization').length > 0
  }

  live(...types: TransactionType[]): ModelTransaction[] {
    return this.transactions.filter(({ type, outcomes }) => types.includes(type) && outcomes.has('succeeded'))
  }

  /** After a refund of a partly paid order its state would be ambiguous. */
  get isRefundable(): boolean {
    return this.grossMinor === 0n || this.grossMinor >= this.totalMinor
  }

  /** The sum of payments, not reduced by refunds. A refund does not reopen an order, a void does. */
  get grossMinor(): bigint {
    return sum(this.live('Sales', 'Capture'))
  }

  get refundedMinor(): bigint {
    return sum(this.live('Refund'))
  }

  /** The rest of the total that is neither paid nor held by authorizations. */
  get freeMinor(): bigint {
    const authorizations = this.live('Authorization')
    const held = sum(authorizations) - sum(authorizations.flatMap((one) => this.of(one, 'Capture')))
    return this.totalMinor - this.grossMinor - held
  }

  of(original: ModelTransaction, type: TransactionType): ModelTransaction[] {
    return this.live(type).filter((transaction) => transaction.original === original)
  }

  leftOf(original: ModelTransaction, type: 'Capture' | 'Refund'): bigint {
    return original.amountMinor - sum(this.of(original, type))
  }

  /** Undefined while an outcome is unknown. Expired orders are `open` here, too. */
  get state(): 'open' | 'completed' | 'refunded' | 'voided' | undefined {
    if (!this.isKnown) return undefined
    if (this.voiding === 'yes') return 'voided'
    if (this.grossMinor < this.totalMinor) return 'open'
    return this.grossMinor === this.refundedMinor ? 'refunded' : 'completed'
  }

  voidAll(certainty: 'maybe' | 'yes'): void {
    this.voiding = this.voiding === 'yes' ? 'yes' : certainty
    for (const transaction of this.transactions) {
      if (!transaction.outcomes.has('succeeded') || transaction.type === 'Refund') continue
      transaction.outcomes =
        certainty === 'yes'
          ? new Set([...transaction.outcomes].map((one) => (one === 'succeeded' ? 'voided' : one)))
          : new Set([...transaction.outcomes, 'voided'])
    }
  }

  /** Compares the order with its possible outcomes once nothing is under way, and adopts what it found. Returns differences. */
  reconcile(order: ApiOrder, now: Temporal.Instant): string[] {
    const findings: string[] = []
    const found = new Map(order.transactions.map((one) => [one.reference_id ?? one.uuid, one]))
    if (this.voiding === 'maybe') this.voiding = order.state === 'voided' ? 'yes' : 'no'
    for (const transaction of this.transactions) {
      const { reference, type, outcomes, uuid, amountMinor } = transaction
      const actual = found.get(reference)
      found.delete(reference)
      const outcome = actual === undefined ? 'absent' : outcomeOf(actual)
      if (outcome === undefined || !this.#permits(transaction, outcome, now)) {
        findings.push(
          `${type} ${reference} is ${actual?.payment_data.transaction_state ?? 'absent'}, expected ${[...outcomes].join(' or ')}`,
        )
      }
      if (actual !== undefined && uuid !== undefined && actual.uuid !== uuid) {
        findings.push(`${type} ${reference} is ${actual.uuid}, and was returned as ${uuid}`)
      }
      if (actual !== undefined && minorOf(actual) !== amountMinor) {
        findings.push(`${type} ${reference} has ${minorOf(actual)}, expected ${amountMinor}`)
      }
      transaction.outcomes = new Set([outcome ?? 'failed'])
      if (actual !== undefined) transaction.uuid = actual.uuid
    }
    findings.push(...this.#adopt([...found.values()]), ...this.#checkSums(order, now))
    return findings.map((finding) => `${this.life.name} (${this.number}): ${finding}`)
  }

  #permits(transaction: ModelTransaction, outcome: Outcome, now: Temporal.Instant): boolean {
    const { type, outcomes } = transaction
    if (outcomes.has(outcome)) return true
    if (!outcomes.has('succeeded')) return false
    const lapsed = Temporal.Instant.compare(this.createdAt.add(AUTHORIZATION_LIFE), now) <= 0
    // Some acquirers take one capture, which releases the rest of the hold.
    if (outcome === 'expired') {
      return type === 'Authorization' && (lapsed || this.of(transaction, 'Capture').length > 0)
    }
    // A payment that arrives for a voided or expired order is voided.
    return outcome === 'voided' && (this.voiding === 'yes' || this.life.timeoutS !== null)
  }

  /** Transactions of pages and bulk actions lack a reference of ours. */
  #adopt(transactions: readonly ApiTransaction[]): string[] {
    const findings: string[] = []
    let sales = 0
    for (const transaction of transactions) {
      const { uuid, type, original_transaction_uuid: originalUuid } = transaction
      const outcome = outcomeOf(transaction)
      const original = this.transactions.find((one) => one.uuid !== undefined && one.uuid === originalUuid)
      if (type === 'Sales') sales++
      const isOurs =
        (type === 'Sales' && sales <= this.pageForms) || (type === 'Refund' && this.bulkRefunds > 0)
      if (!isOurs || outcome === undefined) {
        findings.push(
          `${type} ${uuid} is ${transaction.payment_data.transaction_state}, and nobody asked for it`,
        )
        continue
      }
      this.transactions.push({
        reference: uuid,
        uuid,
        type,
        amountMinor: minorOf(transaction),
        ...(original !== undefined && { original }),
        outcomes: new Set([outcome]),
      })
    }
    return findings
  }

  #checkSums(order: ApiOrder, now: Temporal.Instant): string[] {
    const findings: string[] = []
    const { currency } = this.life
    const { grossMinor, refundedMinor, totalMinor, state } = this
    if (grossMinor > totalMinor) findings.push(`${grossMinor} were paid of ${totalMinor}`)
    for (const original of this.transactions) {
      const type = original.type === 'Authorization' ? 'Capture' : 'Refund'
      if (this.leftOf(original, type) < 0n)
        findings.push(`more than the ${original.amountMinor} of ${original.reference} has its ${type}s`)
    }
    const paid = Money.ofMinor(currency, grossMinor - refundedMinor).toString()
    if (order.paid_total !== paid) findings.push(`paid_total is ${order.paid_total}, expected ${paid}`)
    const expected = this.#isExpired(now) ? 'expired' : state
    if (order.state !== expected) findings.push(`the order is ${order.state}, expected ${expected}`)
    return findings
  }

  #isExpired(now: Temporal.Instant): boolean {
    const { timeoutS } = this.life
    if (timeoutS === null || this.state !== 'open') return false
    const isUnpaid = this.grossMinor === this.refundedMinor && this.live('Authorization').length === 0
    return isUnpaid && Temporal.Instant.compare(this.createdAt.add({ seconds: timeoutS }), now) <= 0
  }
}

/** Undefined for a transaction that is under way. */
function outcomeOf({ payment_data: data }: ApiTransaction): Outcome | undefined {
  return OUTCOMES[data.transaction_state]
}

function minorOf({ currency, amount }: ApiTransaction): bigint {
  return Money.ofDecimal(currency, String(amount)).abs().minor
}

function sum(transactions: readonly ModelTransaction[]): bigint {
  return transactions.reduce((total, { amountMinor }) => total + amountMinor, 0n)
}

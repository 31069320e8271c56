import { realNowMs } from '#kernel/clock'
import type { Money } from '#kernel/money'
import {
  decideEvidence,
  type Dispute,
  type DisputeEntry,
  disputedKey,
  type EvidenceGiven,
} from './dispute.ts'
import { checkFollowUp } from './follow-up.ts'
import {
  APPROVED,
  declined,
  type FinalResult,
  type Entry,
  type Payment,
  paymentOf,
  type WaitReason,
} from './payment.ts'
import { isPaidOut, settlementsOf } from './settlement.ts'
import type { Settlement } from './settlement-entry.ts'
import { PaymentsByKey } from './payments-by-key.ts'
import { Refusal } from '../server/refusal.ts'
import type { InstrumentUsed, PaymentRequest } from '../server/request.ts'
import { testCardByName } from '../server/test-cards.ts'

/** Both periods: reference/sandbox#asynchronous-wallets. */
const PAYER_TIMEOUT_MS = 24 * 60 * 60 * 1000
const AUTO_DEBIT_MS = 1000

export type KeyState =
  | { readonly kind: 'payment'; readonly payment: Payment }
  | { readonly kind: 'absent'; readonly closed: boolean; readonly position: number }

/**
 * The acquirer's books: every payment by our key. All methods are synchronous, so two requests for one key never
 * interleave; there is no other concurrency control. Before responding to a client, wait until the log is durable up to
 * the returned `position`. `atMs` is the client's time; null means the latest time seen.
 * - `submit`: Returns the existing payment of a repeated key. Throws `Refusal` if the key is closed or belongs to a
 *   different request, or if the original payment does not permit the operation.
 * - `close`: Closes the key for good and cancels a payment that waits for its payer. A finished payment stays.
 * - `disputes`: Those of a tenant, newest first.
 * - `bookings`: In booking order, without verifications, which move no money.
 */
export class Books {
  readonly #payments = new PaymentsByKey()
  readonly #closed = new Map<string, number>()
  readonly #bookings: number[] = []
  readonly #disputed: Payment[] = []
  readonly #settlements: Settlement[] = []
  readonly #settled = new Set<string>()
  readonly #write: (line: string) => number

  constructor(write: (line: string) => number) {
    this.#write = write
  }

  replay(line: string, position: number): void {
    const added = this.#payments.addLine(line)
    if (added === undefined) this.#apply(JSON.parse(line) as Entry, position)
    else if (added.isBooking) this.#bookings.push(this.#payments.size - 1)
  }

  submit(request: PaymentRequest, tenant: string | null = null): Payment {
    const existing = this.#payments.get(request.key)
    if (existing !== undefined) return this.#replay(request, existing)
    if (this.#closed.has(request.key)) throw keyClosed()
    const entry = this.#decide(request, tenant)
    this.#record(entry)
    return this.#payments.get(request.key) as Payment
  }

  inquire(key: string, atMs: number | null): KeyState {
    const payment = this.#payments.get(key)
    if (payment === undefined) {
      const closedAt = this.#closed.get(key)
      return { kind: 'absent', closed: closedAt !== undefined, position: closedAt ?? 0 }
    }
    if (payment.canceled) return { kind: 'absent', closed: true, position: payment.position }
    this.#elapse(payment, atMs)
    return { kind: 'payment', payment }
  }

  close(key: string, atMs: number | null): KeyState {
    const state = this.inquire(key, atMs)
    if (state.kind === 'payment' ? state.payment.end !== null : state.closed) return state
    this.#record({ entry: 'close', key })
    return this.inquire(key, atMs)
  }

  answerChallenge(key: string, confirmed: boolean, atMs: number | null): Payment {
    const state = this.inquire(key, atMs)
    if (state.kind === 'absent') {
      throw state.closed ? keyClosed() : new Refusal(404, 'payment_not_found', 'No payment has this key.')
    }
    const { payment } = state
    const { waitsFor } = payment
    if (waitsFor === null || waitsFor === 'auto_debit') {
      throw new Refusal(409, 'no_payer_needed', 'This payment does not wait for a payer.')
    }
    const end = confirmed
      ? APPROVED
      : declined(waitsFor === 'three_d_secure' ? 'authentication_failed' : 'payer_declined')
    if (payment.end === null) this.#record({ entry: 'end', key, end, at_ms: payment.seenAtMs })
    else if (payment.end.code !== end.code) {
      throw new Refusal(409, 'payment_ended', `The payment has already ended: ${payment.end.code}.`)
    }
    return payment
  }

  dispute(reference: string, tenant: string | null): DisputedPayment {
    const payment = this.#payments.get(disputedKey(reference) ?? '')
    if (!isDisputedBy(payment, tenant)) {
      throw new Refusal(404, 'dispute_not_found', 'No dispute has this reference.')
    }
    return payment
  }

  disputes(tenant: string | null): IteratorObject<DisputedPayment> {
    return this.#disputed
      .toReversed()
      .values()
      .filter((payment): payment is DisputedPayment => isDisputedBy(payment, tenant))
  }

  handIn(reference: string, tenant: string | null, evidence: EvidenceGiven): DisputedPayment {
    const payment = this.dispute(reference, tenant)
    if (payment.dispute.submission === evidence.key) return payment
    const state = decideEvidence(payment.dispute, evidence, realNowMs())
    this.#record({ entry: 'evidence', key: payment.key, submission: evidence.key, state })
    return payment
  }

  /** Pays out what the tenant's client names and was not paid out yet. Returns the position to wait for. */
  settle(tenant: string, keys: readonly string[]): number {
    const payments = keys.flatMap((key) => {
      const payment = this.#settled.has(key) ? undefined : this.#payments.get(key)
      return payment !== undefined && isPaidOut(payment) ? [payment] : []
    })
    let position = 0
    for (const settlement of settlementsOf(payments, tenant, realNowMs())) {
      position = this.#record({ entry: 'settlement', ...settlement })
    }
    return position
  }

  settlements(tenant: string): readonly Settlement[] {
    return this.#settlements.filter((settlement) => settlement.tenant === tenant)
  }

  bookings(): IteratorObject<Payment> {
    return this.#bookings
      .slice()
      .values()
      .map((place) => this.#payments.at(place))
  }

  #replay(request: PaymentRequest, existing: Payment): Payment {
    const same =
      existing.operation === request.operation &&
      existing.instrument === instrumentName(request.instrument) &&
      existing.originalKey === request.originalKey &&
      existing.amount?.currency === request.amount?.currency &&
      existing.amount?.minor === request.amount?.minor
    if (!same)
      throw new Refusal(409, 'key_reused', 'The key was already used for a different request.', 'key')
    if (existing.canceled) throw keyClosed()
    this.#elapse(existing, request.atMs)
    return existing
  }

  #decide(request: PaymentRequest, tenant: string | null): Entry {
    const { operation, amount, instrument, originalKey } = request
    let start: { end: FinalResult } | { waits_for: WaitReason } = { end: APPROVED }
    if (instrument !== null) start = decideInstrument(request, instrument)
    else if (amount !== null && originalKey !== null) {
      const original = this.#payments.get(originalKey)
      if (original !== undefined) this.#elapse(original, request.atMs)
      checkFollowUp(operation as 'capture' | 'refund' | 'void', amount, original)
    }
    const name = instrumentName(instrument)
    const dispute = 'end' in start ? this.#disputeOf(request, start.end, tenant) : null
    return {
      entry: 'payment',
      key: request.key,
      operation,
      ...(amount === null ? {} : { minor: amount.minor.toString(), currency: amount.currency }),
      ...(name === null ? {} : { instrument: name }),
      ...(originalKey === null ? {} : { original_key: originalKey }),
      ...(request.returnUrl === null ? {} : { return_url: request.returnUrl }),
      at_ms: request.atMs,
      ...start,
      ...(dispute !== null && { dispute }),
    }
  }

  /** Payers dispute what moved money: a sale or a capture. */
  #disputeOf(
    { operation, instrument, originalKey }: PaymentRequest,
    end: FinalResult,
    tenant: string | null,
  ): DisputeEntry | null {
    if (end.outcome !== 'approved' || (operation !== 'sale' && operation !== 'capture')) return null
    const original = originalKey === null ? undefined : this.#payments.get(originalKey)
    const name = instrumentName(instrument) ?? original?.instrument
    const dispute = name == null ? null : testCardByName(name)?.dispute
    return dispute == null ? null : { tenant, ...dispute, opened_ms: realNowMs() }
  }

  #elapse(payment: Payment, atMs: number | null): void {
    if (atMs !== null && atMs > payment.seenAtMs) payment.seenAtMs = atMs
    if (payment.end !== null || payment.canceled) return
    const waitedMs = payment.seenAtMs - payment.startedAtMs
    if (payment.waitsFor === 'auto_debit') {
      if (waitedMs < AUTO_DEBIT_MS) return
      this.#end(payment, APPROVED, payment.startedAtMs + AUTO_DEBIT_MS)
    } else if (waitedMs > PAYER_TIMEOUT_MS) {
      this.#end(payment, declined('expired'), payment.startedAtMs + PAYER_TIMEOUT_MS)
    }
  }

  #end(payment: Payment, end: FinalResult, atMs: number): void {
    this.#record({ entry: 'end', key: payment.key, end, at_ms: atMs })
  }

  #record(entry: Entry): number {
    const position = this.#write(JSON.stringify(entry))
    this.#apply(entry, position)
    return position
  }

  #apply(entry: Entry, position: number): void {
    if (entry.entry === 'payment') {
      const payment = paymentOf(entry, this.#payments.size + 1, position)
      this.#payments.add(payment)
      if (payment.dispute !== null) this.#disputed.push(payment)
      this.#applyToOriginal(payment)
      if (payment.end !== null && payment.amount !== null) this.#bookings.push(payment.serial - 1)
      return
    }
    if (entry.entry === 'settlement') {
      this.#settlements.push(entry)
      for (const { key } of entry.lines) if (key !== null) this.#settled.add(key)
      return
    }
    const payment = this.#payments.get(entry.key)
    if (payment !== undefined) payment.position = position
    if (entry.entry === 'evidence') {
      const dispute = payment?.dispute
      if (dispute == null) return
      dispute.state = entry.state
      dispute.submission = entry.submission
    } else if (entry.entry === 'close') {
      if (payment === undefined) this.#closed.set(entry.key, position)
      else payment.canceled = true
    } else if (payment !== undefined) {
      payment.end = entry.end
      payment.endedAtMs = entry.at_ms
      if (entry.end.outcome === 'approved' && payment.amount !== null) this.#bookings.push(payment.serial - 1)
    }
  }

  #applyToOriginal(payment: Payment): void {
    if (payment.originalKey === null || payment.amount === null) return
    const original = this.#payments.get(payment.originalKey)
    if (original === undefined) return
    if (payment.operation !== 'void') {
      original.usedMinor += payment.amount.minor
      return
    }
    original.voided = true
    const authorization = original.originalKey === null ? undefined : this.#payments.get(original.originalKey)
    if (authorization !== undefined) authorization.usedMinor -= payment.amount.minor
  }
}

export type DisputedPayment = Payment & { readonly dispute: Dispute; readonly amount: Money }

function isDisputedBy(payment: Payment | undefined, tenant: string | null): payment is DisputedPayment {
  return payment?.dispute?.tenant === tenant && payment.amount !== null
}

function decideInstrument(
  request: PaymentRequest,
  instrument: InstrumentUsed,
): { end: FinalResult } | { waits_for: WaitReason } {
  const binding = request.operation === 'verification'
  if (instrument.type !== 'card') {
    if (!instrument.autoDebit) return { waits_for: 'wallet_confirmation' }
    return binding ? { end: APPROVED } : { waits_for: 'auto_debit' }
  }
  const { card } = instrument
  if (card.asksThreeDSecure) {
    return request.payerPresent
      ? { waits_for: 'three_d_secure' }
      : { end: declined('authentication_required') }
  }
  const nature = binding ? card.binding : card.charge
  return { end: nature === 'approve' ? APPROVED : declined(nature) }
}

function instrumentName(instrument: InstrumentUsed | null): string | null {
  if (instrument === null) return null
  if (instrument.type === 'card') return instrument.card.name
  return instrument.autoDebit ? `${instrument.type}_auto_debit` : instrument.type
}

function keyClosed(): Refusal {
  return new Refusal(409, 'key_closed', 'The key is closed.', 'key')
}

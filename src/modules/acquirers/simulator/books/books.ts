import { checkFollowUp } from './follow-up.ts'
import { APPROVED, declined, type End, type Entry, type Payment, paymentOf, type Waiting } from './payment.ts'
import { PaymentsByKey } from './payments-by-key.ts'
import { Refusal } from '../server/refusal.ts'
import type { InstrumentUsed, PaymentRequest } from '../server/request.ts'

/** How long a payer may take to confirm (decisions, section 9). */
const PAYER_TIMEOUT_MS = 24 * 60 * 60 * 1000
/** Auto-debit settles after a second (decisions, section 9). */
const AUTO_DEBIT_MS = 1000

/** What is known of a key. */
export type Found =
  | { readonly kind: 'payment'; readonly payment: Payment }
  | { readonly kind: 'absent'; readonly closed: boolean; readonly position: number }

/**
 * The acquirer's books: every payment by our key. All of it is synchronous, so two requests for one key are never
 * inside at once; that is the whole of the concurrency control. Whoever answers a caller must first wait until the
 * log's position that stands in the answer is durable.
 */
export class Books {
  readonly #payments = new PaymentsByKey()
  /** Closed keys with the log line that closed them. */
  readonly #closed = new Map<string, number>()
  /** What was booked, in the order of booking: the payments' places. */
  readonly #bookings: number[] = []
  readonly #write: (line: string) => number

  /** `write` appends a line to the log and answers its position. */
  constructor(write: (line: string) => number) {
    this.#write = write
  }

  /** Repeats a line of the log at start. */
  replay(line: string, position: number): void {
    const added = this.#payments.addLine(line)
    if (added === undefined) this.#apply(JSON.parse(line) as Entry, position)
    else if (added.isBooking) this.#bookings.push(this.#payments.size - 1)
  }

  /**
   * Runs a money operation, or answers what the key already has. Throws `Refusal` when the key is closed, holds
   * another request, or the original does not allow it.
   */
  submit(request: PaymentRequest): Payment {
    const known = this.#payments.get(request.key)
    if (known !== undefined) return this.#again(request, known)
    if (this.#closed.has(request.key)) throw keyClosed()
    const entry = this.#decide(request)
    this.#record(entry)
    return this.#payments.get(request.key) as Payment
  }

  /** What is booked under the key, as of `atMs` (null: the latest time seen). */
  inquire(key: string, atMs: number | null): Found {
    const payment = this.#payments.get(key)
    if (payment === undefined) {
      const closedAt = this.#closed.get(key)
      return { kind: 'absent', closed: closedAt !== undefined, position: closedAt ?? 0 }
    }
    if (payment.canceled) return { kind: 'absent', closed: true, position: payment.position }
    this.#settle(payment, atMs)
    return { kind: 'payment', payment }
  }

  /** Closes the key for ever. A payment that waits is cancelled; one that has ended is answered and stays. */
  close(key: string, atMs: number | null): Found {
    const found = this.inquire(key, atMs)
    if (found.kind === 'payment' ? found.payment.end !== null : found.closed) return found
    this.#record({ entry: 'close', key })
    return this.inquire(key, atMs)
  }

  /** The payer confirms or declines. Again is the same; otherwise than before, or too late, is refused. */
  answer(key: string, confirmed: boolean, atMs: number | null): Payment {
    const found = this.inquire(key, atMs)
    if (found.kind === 'absent') {
      throw found.closed ? keyClosed() : new Refusal(404, 'payment_not_found', 'There is no such payment.')
    }
    const { payment } = found
    const { waitsFor } = payment
    if (waitsFor === null || waitsFor === 'auto_debit') {
      throw new Refusal(409, 'no_payer_needed', 'This payment waits for no payer.')
    }
    const end = confirmed
      ? APPROVED
      : declined(waitsFor === 'three_d_secure' ? 'authentication_failed' : 'payer_declined')
    if (payment.end === null) this.#record({ entry: 'end', key, end, at_ms: payment.seenAtMs })
    else if (payment.end.code !== end.code) {
      throw new Refusal(409, 'payment_ended', `The payment has ended: ${payment.end.code}.`)
    }
    return payment
  }

  /** Everything that was booked by now, in the order of booking, for GET /books. Verifications move nothing and are not in it. */
  bookings(): IteratorObject<Payment> {
    return this.#bookings
      .slice()
      .values()
      .map((place) => this.#payments.at(place))
  }

  #again(request: PaymentRequest, known: Payment): Payment {
    const same =
      known.operation === request.operation &&
      known.instrument === instrumentName(request.instrument) &&
      known.originalKey === request.originalKey &&
      known.amount?.currency === request.amount?.currency &&
      known.amount?.minor === request.amount?.minor
    if (!same) throw new Refusal(409, 'key_reused', 'The key was used for another request.', 'key')
    if (known.canceled) throw keyClosed()
    this.#settle(known, request.atMs)
    return known
  }

  #decide(request: PaymentRequest): Entry {
    const { operation, amount, instrument, originalKey } = request
    let start: { end: End } | { waits_for: Waiting } = { end: APPROVED }
    if (instrument !== null) start = decideInstrument(request, instrument)
    else if (amount !== null && originalKey !== null) {
      const original = this.#payments.get(originalKey)
      if (original !== undefined) this.#settle(original, request.atMs)
      checkFollowUp(operation as 'capture' | 'refund' | 'void', amount, original)
    }
    const name = instrumentName(instrument)
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
    }
  }

  /** Lets time do its work on a payment that waits. */
  #settle(payment: Payment, atMs: number | null): void {
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

  #end(payment: Payment, end: End, atMs: number): void {
    this.#record({ entry: 'end', key: payment.key, end, at_ms: atMs })
  }

  #record(entry: Entry): void {
    this.#apply(entry, this.#write(JSON.stringify(entry)))
  }

  #apply(entry: Entry, position: number): void {
    if (entry.entry === 'payment') {
      const payment = paymentOf(entry, this.#payments.size + 1, position)
      this.#payments.add(payment)
      this.#applyToOriginal(payment)
      if (payment.end !== null && payment.amount !== null) this.#bookings.push(payment.serial - 1)
      return
    }
    const payment = this.#payments.get(entry.key)
    if (payment !== undefined) payment.position = position
    if (entry.entry === 'close') {
      if (payment === undefined) this.#closed.set(entry.key, position)
      else payment.canceled = true
    } else if (payment !== undefined) {
      payment.end = entry.end
      payment.endedAtMs = entry.at_ms
      // A payment that nobody confirmed leaves no line in the books.
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
    // A voided capture gives its amount back to the authorization.
    const authorization = original.originalKey === null ? undefined : this.#payments.get(original.originalKey)
    if (authorization !== undefined) authorization.usedMinor -= payment.amount.minor
  }
}

/** What the instrument's nature makes of a charge or a binding. */
function decideInstrument(
  request: PaymentRequest,
  instrument: InstrumentUsed,
): { end: End } | { waits_for: Waiting } {
  const binding = request.operation === 'verification'
  if (instrument.type !== 'card') {
    if (!instrument.autoDebit) return { waits_for: 'wallet_confirmation' }
    // An agreement that needs no payer is bound at once; only its charges take their second.
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
  return new Refusal(409, 'key_closed', 'The key was closed for ever.', 'key')
}

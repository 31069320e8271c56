import type { Amount } from './amounts.ts'
import type { Card } from './test-cards.ts'

export interface Refusal {
  readonly reason: string
  readonly code: string
}

type ResultCode = 'Authorised' | 'Refused' | 'Error' | 'Cancelled' | 'Received' | 'RedirectShopper'

export interface Payment {
  readonly psp: string
  readonly merchantAccount: string
  /** The merchant's reference of the payment. */
  readonly reference: string
  readonly amount: Amount
  readonly card: Card
  readonly shopperReference: string | null
  readonly recurringProcessingModel: string | null
  /** Hours after the authorization; null if the merchant captures by itself. */
  readonly captureDelayHours: number | null
  readonly returnUrl: string | null
  /** Secrets of the redirect: the first opens the page, the shopper returns with the second. */
  readonly redirect: { readonly page: string; readonly result: string } | null
  /** The test result that the request asked for. */
  readonly requestedResult: string | null
  /** Whether to store the payment method once the payment is authorized. */
  readonly stores: boolean
  readonly storedPaymentMethodId: string | null
  readonly createdAtMs: number
}

export interface PaymentState extends Payment {
  resultCode: ResultCode
  refusal: Refusal | null
  challenge: 'open' | 'approved' | 'declined' | null
  authCode: string
  authorisedAtMs: number
  captured: number
  captures: number
  refunded: number
  cancelled: boolean
  storedId: string | null
  /** False where the shopper had stored the same card before. */
  storedIsNew: boolean
}

export interface Modification {
  readonly psp: string
  readonly kind: 'capture' | 'refund' | 'cancel'
  readonly payment: string
  readonly reference: string | null
  readonly amount: Amount
  readonly success: boolean
  readonly reason: string
}

export interface StoredPaymentMethod {
  readonly id: string
  /** Of the payment that stored it. */
  readonly firstPspReference: string
  readonly merchantAccount: string
  readonly shopperReference: string
  readonly card: Card
  readonly createdAtMs: number
}

type DisputeStatus = 'Unresponded' | 'Responded' | 'Accepted' | 'Expired' | 'Pending' | 'Won' | 'Lost'

interface Dispute {
  readonly psp: string
  readonly payment: string
  readonly capture: Modification | null
  readonly amount: Amount
  readonly reasonCode: string
  readonly openedAtMs: number
  readonly endsAtMs: number
}

export interface DefenseDocument {
  readonly typeCode: string
  readonly contentType: string
  /** Of the decoded content. */
  readonly bytes: number
}

export interface DisputeState extends Dispute {
  status: DisputeStatus
  chargedBack: boolean
  documents: readonly DefenseDocument[]
  defenseReasonCode: string | null
}

/** A line of the settlement report. Negative amounts leave the merchant. */
export interface JournalLine {
  readonly type:
    | 'Settled'
    | 'Refunded'
    | 'Chargeback'
    | 'ChargebackReversed'
    | 'SecondChargeback'
    | 'Fee'
    | 'MerchantPayout'
  readonly merchantAccount: string
  readonly payment: string | null
  readonly modificationPsp: string
  readonly modificationReference: string
  readonly amount: Amount
  readonly atMs: number
}

export interface Batch {
  readonly merchantAccount: string
  readonly number: number
  readonly fileName: string
  readonly lines: readonly JournalLine[]
}

export interface StoredReply {
  readonly status: number
  readonly body: unknown
}

/** `standard` notices are items of Adyen's standard webhook; `tokenization` ones are bodies of their own. */
export interface Notice {
  readonly id: string
  readonly kind: 'standard' | 'tokenization'
  readonly merchantAccount: string
  readonly content: Readonly<Record<string, unknown>>
}

export type Event =
  | {
      readonly type: 'payment'
      readonly payment: Payment
      readonly resultCode: 'Received' | 'RedirectShopper'
    }
  | { readonly type: 'challenge'; readonly psp: string; readonly approved: boolean }
  | {
      readonly type: 'result'
      readonly psp: string
      readonly resultCode: ResultCode
      readonly refusal: Refusal | null
      readonly authCode: string
      readonly storedId: string | null
      readonly storedIsNew: boolean
      readonly atMs: number
    }
  | { readonly type: 'modification'; readonly modification: Modification }
  | { readonly type: 'stored'; readonly method: StoredPaymentMethod }
  | { readonly type: 'stored_removed'; readonly id: string }
  | { readonly type: 'stored_result'; readonly id: string; readonly result: string | null }
  | { readonly type: 'dispute'; readonly dispute: Dispute }
  | {
      readonly type: 'dispute_changed'
      readonly psp: string
      readonly status?: DisputeStatus
      readonly chargedBack?: boolean
      readonly documents?: readonly DefenseDocument[]
      readonly defenseReasonCode?: string
    }
  | { readonly type: 'journal'; readonly line: JournalLine }
  | { readonly type: 'batch'; readonly batch: Batch }
  | { readonly type: 'notice'; readonly notice: Notice }
  | { readonly type: 'delivered'; readonly id: string }
  | { readonly type: 'answer'; readonly key: string; readonly answer: StoredReply; readonly atMs: number }
  | { readonly type: 'keys_pruned' }

const KEY_RETENTION_MS = 7 * 86_400_000

/** The twin's whole state. Requests and replays change it only through `apply`. */
export class Model {
  readonly payments = new Map<string, PaymentState>()
  readonly stored = new Map<string, StoredPaymentMethod>()
  /** Results of later payments with a stored payment method, by its id. */
  readonly storedResults = new Map<string, string>()
  readonly disputes = new Map<string, DisputeState>()
  readonly batches: Batch[] = []
  readonly undelivered = new Map<string, Notice>()
  /** Not yet in a batch. */
  journal: JournalLine[] = []
  /** Payments without their result or automatic capture yet. */
  readonly waiting = new Set<string>()
  readonly #byReference = new Map<string, PaymentState[]>()
  readonly #byRedirect = new Map<string, PaymentState>()
  readonly #answers = new Map<string, { readonly answer: StoredReply; readonly atMs: number }>()

  payment(psp: string): PaymentState {
    const payment = this.payments.get(psp)
    if (payment === undefined) throw new Error(`There is no payment ${psp}`)
    return payment
  }

  /** Payments of an account with this merchant reference, oldest first. */
  paymentsOf(merchantAccount: string, reference: string): readonly PaymentState[] {
    return this.#byReference.get(`${merchantAccount}\n${reference}`) ?? []
  }

  /** By one of the two secrets of its redirect. */
  redirected(secret: string): PaymentState | undefined {
    return this.#byRedirect.get(secret)
  }

  answerTo(key: string, nowMs: number): StoredReply | undefined {
    const kept = this.#answers.get(key)
    return kept !== undefined && nowMs - kept.atMs < KEY_RETENTION_MS ? kept.answer : undefined
  }

  apply(event: Event): void {
    switch (event.type) {
      case 'payment':
        return this.#addPayment(event.payment, event.resultCode)
      case 'challenge':
        this.payment(event.psp).challenge = event.approved ? 'approved' : 'declined'
        return
      case 'result':
        return this.#finish(event)
      case 'modification':
        return this.#modify(event.modification)
      case 'stored':
        return void this.stored.set(event.method.id, event.method)
      case 'stored_removed':
        return void this.stored.delete(event.id)
      case 'stored_result':
        if (event.result === null) this.storedResults.delete(event.id)
        else this.storedResults.set(event.id, event.result)
        return
      case 'dispute':
        return void this.disputes.set(event.dispute.psp, {
          ...event.dispute,
          status: 'Unresponded',
          chargedBack: false,
          documents: [],
          defenseReasonCode: null,
        })
      case 'dispute_changed': {
        const { type: _type, psp, ...changes } = event
        const dispute = this.disputes.get(psp)
        if (dispute !== undefined) Object.assign(dispute, changes)
        return
      }
      case 'journal':
        return void this.journal.push(event.line)
      case 'batch':
        this.batches.push(event.batch)
        this.journal = this.journal.filter(
          ({ merchantAccount }) => merchantAccount !== event.batch.merchantAccount,
        )
        return
      case 'notice':
        return void this.undelivered.set(event.notice.id, event.notice)
      case 'delivered':
        return void this.undelivered.delete(event.id)
      case 'answer':
        return void this.#answers.set(event.key, event)
      case 'keys_pruned':
        return this.#answers.clear()
    }
  }

  #addPayment(payment: Payment, resultCode: 'Received' | 'RedirectShopper'): void {
    const state: PaymentState = {
      ...payment,
      resultCode,
      refusal: null,
      challenge: payment.redirect === null ? null : 'open',
      authCode: '',
      authorisedAtMs: 0,
      captured: 0,
      captures: 0,
      refunded: 0,
      cancelled: false,
      storedId: payment.storedPaymentMethodId,
      storedIsNew: false,
    }
    this.payments.set(payment.psp, state)
    const place = `${payment.merchantAccount}\n${payment.reference}`
    this.#byReference.set(place, [...(this.#byReference.get(place) ?? []), state])
    if (payment.redirect !== null) {
      this.#byRedirect.set(payment.redirect.page, state)
      this.#byRedirect.set(payment.redirect.result, state)
    }
    if (resultCode === 'Received') this.waiting.add(payment.psp)
  }

  #finish(event: Extract<Event, { type: 'result' }>): void {
    const payment = this.payment(event.psp)
    payment.resultCode = event.resultCode
    payment.refusal = event.refusal
    payment.authCode = event.authCode
    payment.authorisedAtMs = event.atMs
    payment.storedId = event.storedId ?? payment.storedId
    payment.storedIsNew = event.storedIsNew
    const capturesLater = event.resultCode === 'Authorised' && payment.captureDelayHours !== null
    if (capturesLater || event.resultCode === 'Received') this.waiting.add(event.psp)
    else this.waiting.delete(event.psp)
  }

  #modify({ kind, payment: psp, amount, success }: Modification): void {
    const payment = this.payment(psp)
    if (!success) return
    if (kind === 'capture') {
      payment.captured += amount.value
      payment.captures += 1
    } else if (kind === 'refund') payment.refunded += amount.value
    else payment.cancelled = true
    if (kind !== 'refund') this.waiting.delete(psp)
  }
}

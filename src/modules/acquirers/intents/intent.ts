import type {
  AcquirerRecord,
  FollowUpRequest,
  NextAction,
  Outcome,
  VerifiedInstrument,
} from '../port/port.ts'

/**
 * `open`: no money has moved, and the intent can be confirmed (again). `held`: authorized and not captured.
 * `done`: captured, or verified.
 */
export type IntentState = 'open' | 'action' | 'processing' | 'held' | 'done' | 'canceled'

export type Declined = Extract<Outcome, { kind: 'declined' }>
export type Refused = Extract<Outcome, { kind: 'refused' }>
export type Unknown = Extract<Outcome, { kind: 'unknown' }>

export interface Decline {
  readonly outcome: Declined
  /** The issuer would approve if the payer were present. */
  readonly needsPayer: boolean
}

export interface Intent {
  readonly id: string
  readonly state: IntentState
  readonly record: AcquirerRecord
  /** Why the last confirmation failed; also set on an intent that was canceled afterwards. */
  readonly decline: Decline | null
  /** Null unless the payer can be sent to a URL. */
  readonly action: NextAction | null
  /** In minor units of our table. */
  readonly capturedMinor: bigint
  readonly instrument?: VerifiedInstrument
}

export interface IntentRefund {
  readonly key: string | null
  readonly outcome: Exclude<Outcome, Refused | Unknown>
}

/** What one request came to. `refused` is an explicit 4xx: the request changed nothing. */
export type Step<Value> =
  | { readonly kind: 'ok'; readonly value: Value }
  | { readonly kind: 'declined'; readonly decline: Decline }
  | Refused
  | Unknown

/** The `responseCode` of a request that was refused because of the credentials. */
export const NOT_AUTHORIZED = 'not_authorized'

/** Intents of one kind (payments or verifications) at an acquirer, made for requests of one type. */
export interface Intents<Request> {
  /** Without confirming, so that no money can move yet. */
  create(request: Request): Promise<Step<Intent>>
  /** `again` confirms an intent a second time, with the payer present. */
  confirm(id: string, request: Request, again: boolean): Promise<Step<Intent>>
  read(id: string): Promise<Step<Intent>>
  cancel(id: string): Promise<Step<Intent>>
}

export type RefundRequest = Pick<FollowUpRequest, 'key' | 'amount' | 'originalReference'>

export interface PaymentIntents<Request> extends Intents<Request> {
  capture(id: string, request: FollowUpRequest): Promise<Step<Intent>>
  refund(request: RefundRequest): Promise<Step<IntentRefund>>
  refundsOf(id: string): Promise<Step<readonly IntentRefund[]>>
}

export function unknown(responseMessage: string): Unknown {
  return { kind: 'unknown', responseMessage }
}

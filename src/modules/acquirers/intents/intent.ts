import type { Money } from '#kernel/money'
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
  readonly needsPayer: boolean
}

/** `amount`: Set where it is compared with what was asked for: where a browser could have changed it. */
export interface Intent {
  readonly id: string
  readonly state: IntentState
  readonly record: AcquirerRecord
  readonly decline: Decline | null
  readonly action: NextAction | null
  readonly capturedMinor: bigint
  readonly amount?: Money
  readonly instrument?: VerifiedInstrument
}

export interface IntentRefund {
  readonly key: string | null
  readonly outcome: Exclude<Outcome, Refused | Unknown>
}

export type Step<Value> =
  | { readonly kind: 'ok'; readonly value: Value }
  | { readonly kind: 'declined'; readonly decline: Decline }
  | Refused
  | Unknown

export const NOT_AUTHORIZED = 'not_authorized'

export interface Intents<Request> {
  create(request: Request): Promise<Step<Intent>>
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

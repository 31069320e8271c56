import type { components } from './generated/api.ts'

type Schemas = components['schemas']

/** The types of errors that the API has. */
export type ErrorType = Schemas['ErrorDetail']['type']

/** The reasons that this version of the package knows. A later service may have others. */
export type ErrorReason = Schemas['ErrorDetail']['reason'] | (string & {})

/** What an error may carry: the objects as they are now, or the one that already exists. */
export interface ErrorData {
  readonly order?: Schemas['Order'] | NonNullable<Schemas['OrderExists']['data']['order']>
  readonly transaction?:
    | Schemas['Transaction']
    | NonNullable<Schemas['ReferenceIdTaken']['data']['transaction']>
  readonly customer?: NonNullable<Schemas['CustomerExists']['data']['customer']>
  readonly card?: NonNullable<Schemas['CardExists']['data']['card']>
  /** The data that an invoice lacks for an electronic invoice. */
  readonly missing?: Schemas['EinvoiceIncomplete']['data']['missing']
  /** Which lines of a CSV text are wrong, from 1, and why. */
  readonly lines?: readonly { readonly line: number; readonly reason: string }[]
}

interface PaymentFailure {
  readonly order?: Schemas['Order']
  readonly transaction?: Schemas['Transaction']
}

/** Every error of this package, except `TypeError` and `RangeError` for wrong arguments. */
export class QuittanceError extends Error {
  override readonly name: string = 'QuittanceError'
  /** The key that the request was sent under. A request with the same key can be sent again safely. */
  idempotencyKey: string | undefined
}

/** No response arrived. Whether the request had an effect is not known: send it again with `idempotencyKey`. */
export class ConnectionError extends QuittanceError {
  override readonly name: string = 'ConnectionError'

  /** The message names the reason of the system, such as ECONNREFUSED, which `fetch` hides in the cause of its error. */
  constructor(message: string, options?: ErrorOptions) {
    const reason = reasonOf(options?.cause)
    super(reason === undefined ? message : `${message.replace(/\.$/, '')}: ${reason}`, options)
  }
}

function reasonOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || thrown.name === 'AbortError') return undefined
  const { cause = thrown } = thrown
  const { code, message } = cause as { readonly code?: unknown; readonly message?: unknown }
  // An error of several addresses has a code and no message.
  return [message, code].find((text): text is string => typeof text === 'string' && text !== '')
}

/** No response arrived within `timeoutMs`. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError'
}

/** The message is not from the service, is too old, or was changed. */
export class WebhookVerificationError extends QuittanceError {
  override readonly name = 'WebhookVerificationError'
}

export interface Failure {
  readonly status: number
  readonly headers: Headers
  readonly code?: number
  readonly message: string
  readonly data: ErrorData
  readonly error: Partial<Schemas['ErrorDetail']>
}

/** The service responded with an error. Branch on the class or on `reason`, which never changes. */
export class ApiError extends QuittanceError {
  override readonly name: string = 'ApiError'
  readonly status: number
  readonly headers: Headers
  /** The HTTP status × 100, plus a stable number. Undefined if something in front of the service responded. */
  readonly code: number | undefined
  readonly type: ErrorType | undefined
  /** A stable word, such as `order_not_found`. */
  readonly reason: ErrorReason | undefined
  /** The member, query parameter or header at fault: `order.line_items[2].price`. */
  readonly param: string | undefined
  /** Why the issuer declined a payment. */
  readonly declineCode: string | undefined
  readonly recommendedAction: string | undefined
  readonly requestId: string | undefined
  readonly data: ErrorData

  constructor({ status, headers, code, message, data, error }: Failure) {
    super(message)
    this.status = status
    this.headers = headers
    this.code = code
    this.type = error.type
    this.reason = error.reason
    this.param = error.param
    this.declineCode = error.decline_code
    this.recommendedAction = error.recommended_action
    this.requestId = error.request_id ?? headers.get('x-request-id') ?? undefined
    this.data = data
  }

  /**
   * Whether the request had an effect is not known: the acquirer has not responded yet (504), the service had a
   * defect (500), or the response is not from the service. Do not pay again: send the request with the same
   * `idempotencyKey` for the current state, check the order, or wait for the event.
   */
  get outcomeUnknown(): boolean {
    const isForeign = this.code === undefined && (this.status < 400 || this.status >= 500)
    return isForeign || this.status === 500 || this.status === 504
  }
}

export class InvalidRequestError extends ApiError {
  override readonly name = 'InvalidRequestError'
}
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError'
}
export class PermissionError extends ApiError {
  override readonly name = 'PermissionError'
}
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError'
}
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError'
}
/** The issuer or the payer declined. `declineCode` says why, and `data` holds the order and the transaction. */
export class PaymentDeclinedError extends ApiError {
  override readonly name = 'PaymentDeclinedError'
  declare readonly data: PaymentFailure
}
/** The acquirer refused to run the operation (502), or has not responded yet (504, `outcomeUnknown`). */
export class AcquirerError extends ApiError {
  override readonly name = 'AcquirerError'
  declare readonly data: PaymentFailure
}
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError'
}
export class ServiceError extends ApiError {
  override readonly name = 'ServiceError'
}

const CLASSES: Readonly<Record<ErrorType, new (failure: Failure) => ApiError>> = {
  invalid_request: InvalidRequestError,
  authentication_failed: AuthenticationError,
  permission_denied: PermissionError,
  not_found: NotFoundError,
  conflict: ConflictError,
  payment_declined: PaymentDeclinedError,
  acquirer_error: AcquirerError,
  rate_limited: RateLimitError,
  service_error: ServiceError,
}

/** A later version of the service may have types that this version of the package does not know. */
export function apiError(failure: Failure): ApiError {
  const { type } = failure.error
  const Class = type !== undefined && Object.hasOwn(CLASSES, type) ? CLASSES[type] : ApiError
  return new Class(failure)
}

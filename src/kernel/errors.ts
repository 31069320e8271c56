import type { Refused } from './refusal.ts'

type ErrorType =
  | 'invalid_request'
  | 'authentication_failed'
  | 'permission_denied'
  | 'not_found'
  | 'conflict'
  | 'payment_declined'
  | 'acquirer_error'
  | 'rate_limited'
  | 'service_error'

export interface ErrorDefinition {
  readonly status: number
  /**
   * From 1, unique per status over all modules and never changed. `code` in the envelope is `status * 100 +
   * number`.
   */
  readonly number: number
  readonly type: ErrorType
  readonly message: string
  readonly recommendedAction?: string
}

export interface ErrorDetail {
  readonly param?: string
  /** Must hold no secret and no card number. */
  readonly message?: string
  readonly declineCode?: string
  readonly data?: object
  readonly retryAfterSeconds?: number
  readonly cause?: unknown
}

export class RequestError extends Error {
  readonly reason: string
  readonly definition: ErrorDefinition
  readonly detail: ErrorDetail

  constructor(reason: string, definition: ErrorDefinition, detail: ErrorDetail) {
    super(detail.message ?? definition.message, { cause: detail.cause })
    this.name = 'RequestError'
    this.reason = reason
    this.definition = definition
    this.detail = detail
  }

  get status(): number {
    return this.definition.status
  }

  get code(): number {
    return this.definition.status * 100 + this.definition.number
  }
}

export type ErrorCatalogue = Readonly<Record<string, ErrorDefinition>>
type Throwable<C extends ErrorCatalogue> = {
  readonly [Reason in keyof C]: (detail?: ErrorDetail) => RequestError
}

export function defineErrors<const C extends ErrorCatalogue>(
  catalogue: C,
): Throwable<C> & { readonly catalogue: C } {
  const made: Record<string, unknown> = { catalogue }
  for (const [reason, definition] of Object.entries(catalogue)) {
    made[reason] = (detail: ErrorDetail = {}) => new RequestError(reason, definition, detail)
  }
  return made as Throwable<C> & { readonly catalogue: C }
}

/** Returns the error that says what a decision refused. */
export function errorOf<Reason extends string>(
  errors: Readonly<Record<Reason, (detail: ErrorDetail) => RequestError>>,
  { refused, ...detail }: Refused<Reason>,
): RequestError {
  return errors[refused](detail)
}

export function throwIfRefused<Reason extends string>(
  errors: Parameters<typeof errorOf<Reason>>[0],
  refused: Refused<Reason> | null,
): void {
  if (refused !== null) throw errorOf(errors, refused)
}

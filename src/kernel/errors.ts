/** The kinds of error a program may want to branch on before it looks at `reason`. */
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

/** One line of a module's catalogue. All catalogues together make the page of errors in /docs. */
export interface ErrorDefinition {
  /** HTTP status (decisions, section 1, "Statuses"). */
  readonly status: number
  /** 1 to 99, stable for ever; `code` in the envelope is `status * 100 + number`. Unique per status over all modules. */
  readonly number: number
  readonly type: ErrorType
  /** The public message when the thrower gives none. */
  readonly message: string
  /** What the caller should do, when there is something to do. */
  readonly recommendedAction?: string
}

export interface ErrorDetail {
  /** The member, query name or header that is wrong, as a path: `order.line_items[2].price`. */
  readonly param?: string
  /** A message for this case; never holds a secret or a card number. */
  readonly message?: string
  readonly declineCode?: string
  /** Added to the envelope's `data` beside `error`, such as the declined payment's order. */
  readonly data?: object
  readonly retryAfterSeconds?: number
  /** For the log only. */
  readonly cause?: unknown
}

/** An error that ends a request and tells the caller what to do. */
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

/**
 * Makes a module's errors from its catalogue, keyed by their stable reason:
 * `export const errors = defineErrors({ order_not_found: { status: 404, number: 1, … } })`,
 * then `throw errors.order_not_found({ param: 'order.number' })`.
 */
export function defineErrors<const C extends ErrorCatalogue>(
  catalogue: C,
): Throwable<C> & { readonly catalogue: C } {
  const made: Record<string, unknown> = { catalogue }
  for (const [reason, definition] of Object.entries(catalogue)) {
    made[reason] = (detail: ErrorDetail = {}) => new RequestError(reason, definition, detail)
  }
  return made as Throwable<C> & { readonly catalogue: C }
}

/** Members of Stripe's `error` object. */
export interface ErrorMembers {
  readonly type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'
  readonly message: string
  readonly code?: string
  readonly param?: string
  readonly [member: string]: unknown
}

/** `commits`: keeps the changes made before the failure, as after a decline. `isKept`: saved under its key. */
export class StripeError extends Error {
  readonly status: number
  readonly members: ErrorMembers
  readonly commits: boolean
  readonly isKept: boolean

  constructor(status: number, members: ErrorMembers, { commits = false, isKept = true } = {}) {
    super(members.message)
    this.status = status
    this.members = members
    this.commits = commits
    this.isKept = isKept
  }
}

type Details = { readonly code?: string; readonly param?: string; readonly [member: string]: unknown }

/** Parameters that fail validation are not saved under the idempotency key. */
export function invalidRequest(message: string, details: Details = {}): StripeError {
  return new StripeError(400, { type: 'invalid_request_error', message, ...details }, { isKept: false })
}

/** The object's state forbids the request. */
export function unexpectedState(message: string, details: Details): StripeError {
  return new StripeError(400, { type: 'invalid_request_error', message, ...details })
}

export function missing(kind: string, id: string, param: string): StripeError {
  return new StripeError(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${kind}: '${id}'`,
    param,
  })
}

export function apiError(): StripeError {
  return new StripeError(500, { type: 'api_error', message: 'An unknown error occurred' })
}

export function errorBody(error: StripeError, log: { readonly requestId: string }): string {
  const { code } = error.members
  return JSON.stringify({
    error: {
      ...error.members,
      ...(code !== undefined && {
        doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}`,
      }),
      ...(error.status !== 401 && {
        request_log_url: `https://dashboard.stripe.com/test/logs/${log.requestId}`,
      }),
    },
  })
}

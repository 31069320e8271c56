/** An answer of Airwallex other than success. `commits` keeps what the request changed, as a declined attempt does. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly source: string | undefined
  readonly details: Readonly<Record<string, string>> | undefined
  readonly commits: boolean

  constructor(
    status: number,
    code: string,
    message: string,
    options: {
      readonly source?: string
      readonly details?: Readonly<Record<string, string>>
      readonly commits?: boolean
    } = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.source = options.source
    this.details = options.details
    this.commits = options.commits ?? false
  }
}

export function notFound(status: 400 | 404, id: string): ApiError {
  return new ApiError(
    status,
    'resource_not_found',
    `The requested resource ${id.slice(0, 64)} does not exist`,
  )
}

export function invalid(source: string, message: string): ApiError {
  return new ApiError(400, 'validation_error', `${source} ${message}`, { source })
}

export function wrongStatus(message: string): ApiError {
  return new ApiError(400, 'invalid_status_for_operation', message)
}

export function unauthorized(): ApiError {
  return new ApiError(401, 'unauthorized', 'Access denied, authentication failed', { source: '' })
}

export function duplicateRequest(): ApiError {
  return new ApiError(400, 'duplicate_request', 'The request with this request_id was already processed', {
    source: 'request_id',
  })
}

export const internalError = (): ApiError => new ApiError(500, 'internal_error', 'Internal server error')
export const tooMany = (): ApiError => new ApiError(429, 'too_many_requests', 'Too many requests')

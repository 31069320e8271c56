/** A request to which Adyen responds with its `ServiceError`. Codes are those of its list of API error codes. */
export class ServiceError extends Error {
  readonly status: number
  readonly errorCode: string
  readonly errorType: string
  /** Adyen's `transient-error` header: the same key may be sent again later. */
  readonly transient: boolean

  constructor(status: number, errorCode: string, message: string, errorType: string, transient = false) {
    super(message)
    this.status = status
    this.errorCode = errorCode
    this.errorType = errorType
    this.transient = transient
  }
}

export function invalid(errorCode: string, message: string): ServiceError {
  return new ServiceError(422, errorCode, message, 'validation')
}

export function malformed(message: string): ServiceError {
  return new ServiceError(400, '702', message, 'validation')
}

export function missingField(name: string): ServiceError {
  return invalid('158', `Required field '${name}' is not provided.`)
}

export const unauthorized = (): ServiceError =>
  new ServiceError(401, '000', 'HTTP Status Response - Unauthorized', 'security')

export const invalidMerchantAccount = (): ServiceError =>
  new ServiceError(403, '901', 'Invalid Merchant Account', 'security')

export const alreadyInProgress = (): ServiceError =>
  new ServiceError(422, '704', 'request already processed or in progress', 'validation', true)

export const internalError = (): ServiceError =>
  new ServiceError(500, '903', 'Internal error', 'internal', true)

export const tooManyRequests = (): ServiceError =>
  new ServiceError(429, '010', 'Too many requests', 'security', true)

export const unknownOriginal = (): ServiceError =>
  invalid('167', 'Original pspReference required for this operation')

export const notFound = (): ServiceError => new ServiceError(404, '902', 'Resource not found', 'validation')

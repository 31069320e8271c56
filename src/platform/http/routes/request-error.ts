import { errorCodes } from 'fastify'
import { RequestError } from '#kernel/errors'
import { platformErrors } from '#platform/errors'
import { codeOf } from '#platform/thrown'
import { isUnreachable } from '#platform/postgres/database-errors'

/**
 * Errors that are not RequestErrors are ours: 503 if the database is unreachable or overloaded, else 500.
 * Their messages go to the log only.
 */
export function toRequestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error
  const framework = frameworkError(error)
  if (framework !== undefined) return framework
  if (isUnreachable(error) || isAbandonedByDatabase(error))
    return platformErrors.unavailable({ cause: error, retryAfterSeconds: 1 })
  return platformErrors.internal_error({ cause: error })
}

function frameworkError(error: unknown): RequestError | undefined {
  const code = codeOf(error)
  if (code === undefined || !(code in errorCodes)) return undefined
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return platformErrors.payload_too_large()
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return platformErrors.unsupported_media_type()
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return platformErrors.malformed_request({
        message: 'The body is not as long as Content-Length says.',
      })
    case 'FST_ERR_BAD_URL':
      return platformErrors.invalid_path({ message: 'The path is not valid percent-encoded UTF-8.' })
    // No identifier or reference is that long. Fastify reports the method QUERY with the second code, if a
    // Content-Type is sent.
    case 'FST_ERR_MAX_PARAM_LENGTH':
    case 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE':
      return platformErrors.route_not_found()
    default:
      return undefined
  }
}

/** SQLSTATEs of an overloaded database: timeouts (of locks too), deadlocks and serialization failures. */
const ABANDONED = /^(?:57014|55P03|40001|40P01|25P0[34])$/

function isAbandonedByDatabase(error: unknown): boolean {
  return ABANDONED.test(codeOf(error) ?? '')
}

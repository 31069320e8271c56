import { ApiError, ConnectionError } from 'quittance'
import { Problem } from './problem.ts'

/** Explains an error in one or two sentences: what happened, and what to do. */
export function explain(error: unknown): string {
  if (error instanceof ApiError) return explainApiError(error)
  if (error instanceof ConnectionError) return `The service cannot be reached: ${error.message}`
  if (error instanceof Problem) return error.message
  return error instanceof Error ? error.message : String(error)
}

function explainApiError({
  status,
  message,
  param,
  reason,
  declineCode,
  recommendedAction,
  requestId,
}: ApiError): string {
  const about = [reason, declineCode, param === undefined ? undefined : `at ${param}`].filter(
    (part) => part !== undefined,
  )
  const detail = about.length === 0 ? '' : ` [${about.join(', ')}]`
  const advice = recommendedAction === undefined ? '' : ` ${recommendedAction}`
  const trace = requestId === undefined ? '' : ` (${status}, request ${requestId})`
  return `${message}${detail}${advice}${trace}`
}

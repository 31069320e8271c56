import { RequestError } from '#kernel/errors'
import { parseJson } from '#kernel/json'
import { StoredReply } from '#platform/idempotency/stored-reply'

interface Refusal {
  readonly status: number
  readonly reason: string
  readonly message: string
}

interface StoredError {
  readonly message: string
  readonly data: { readonly error: { readonly reason: string } }
}

const SERVICE_ERROR: Refusal = {
  status: 503,
  reason: 'service_error',
  message: 'The service could not do this.',
}

export function refusalOf(error: unknown): Refusal {
  if (error instanceof RequestError) {
    return { status: error.status, reason: error.reason, message: error.message }
  }
  if (!(error instanceof StoredReply)) return SERVICE_ERROR
  const envelope = parseJson(error.body) as unknown as StoredError
  return { status: error.status, reason: envelope.data.error.reason, message: envelope.message }
}

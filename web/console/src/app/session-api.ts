import { ConnectionError } from 'quittance'
import { checkOnline, OutcomeUnknownError, WRITE_MS } from '#app/attempt.ts'
import { SERVICE_URL } from '#app/base-path.ts'
import { errorOf, readEnvelope } from '#app/envelope.ts'

/** Calls `/console/api`, whose replies have no envelope. Its errors are those of the API. */
export async function callSession<Result>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: object,
  signal?: AbortSignal,
): Promise<Result> {
  const isRead = method === 'GET'
  if (!isRead) checkOnline()
  const response = await fetch(`${SERVICE_URL}/console/api${path}`, {
    method,
    headers: { accept: 'application/json', ...(!isRead && { 'content-type': 'application/json' }) },
    ...(!isRead && { body: JSON.stringify(body ?? {}) }),
    signal: isRead ? (signal ?? null) : AbortSignal.timeout(WRITE_MS),
  }).catch((cause: unknown) => {
    signal?.throwIfAborted()
    throw isRead
      ? new ConnectionError('The service did not respond', { cause })
      : new OutcomeUnknownError(method === 'DELETE', cause)
  })
  if (!response.ok) throw errorOf(response, await readEnvelope(response))
  return (await response.json()) as Result
}

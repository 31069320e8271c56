import { SERVICE_URL } from '#app/base-path.ts'
import { errorOf, readEnvelope } from '#app/envelope.ts'

/** Calls `/console/api`, whose replies have no envelope. Its errors are those of the API. */
export async function callSession<Result>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: object,
  signal?: AbortSignal,
): Promise<Result> {
  const response = await fetch(`${SERVICE_URL}/console/api${path}`, {
    method,
    headers: {
      accept: 'application/json',
      ...(method !== 'GET' && { 'content-type': 'application/json' }),
    },
    ...(method !== 'GET' && { body: JSON.stringify(body ?? {}) }),
    ...(signal && { signal }),
  })
  if (!response.ok) throw errorOf(response, await readEnvelope(response))
  return (await response.json()) as Result
}

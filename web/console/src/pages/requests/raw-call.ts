import { ConnectionError } from 'quittance'
import { Attempt, WRITE_MS } from '#app/attempt.ts'
import { SERVICE_URL } from '#app/base-path.ts'

interface RawRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly request_body: string | null
}

/** Sends a request as it was logged, with the text of its body, to the test environment of a business. */
export function createRawCall(business: string) {
  const attempt = new Attempt()
  return async ({ method, path, query, request_body: body }: RawRequest) => {
    const hasBody = body !== null && body !== '' && method !== 'GET'
    const url = `${SERVICE_URL}${path}${query === '' ? '' : `?${query.replace(/^\?/, '')}`}`
    try {
      const response = await attempt.send(url, {
        method,
        headers: {
          'x-p-customer-code': business,
          'quittance-environment': 'test',
          ...(hasBody && { 'content-type': 'application/json' }),
          ...((method === 'POST' || method === 'PUT') && { 'idempotency-key': crypto.randomUUID() }),
        },
        ...(hasBody && { body }),
        signal: AbortSignal.timeout(WRITE_MS),
      })
      const text = await response.text()
      attempt.renew()
      return { status: response.status, text }
    } catch (cause) {
      throw attempt.failureOf(new ConnectionError(`${method} ${path} got no response.`, { cause }))
    }
  }
}

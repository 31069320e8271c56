import { SERVICE_URL } from '#app/base-path.ts'

interface RawRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly request_body: string | null
}

/** Sends a request as it was logged, with the text of its body, to the test environment of a business. */
export function createRawCall(business: string) {
  return async ({ method, path, query, request_body: body }: RawRequest) => {
    const hasBody = body !== null && body !== '' && method !== 'GET'
    const response = await fetch(
      `${SERVICE_URL}${path}${query === '' ? '' : `?${query.replace(/^\?/, '')}`}`,
      {
        method,
        headers: {
          'x-p-customer-code': business,
          'quittance-environment': 'test',
          ...(hasBody && { 'content-type': 'application/json' }),
          ...((method === 'POST' || method === 'PUT') && { 'idempotency-key': crypto.randomUUID() }),
        },
        ...(hasBody && { body }),
      },
    )
    return { status: response.status, text: await response.text() }
  }
}

import { Quittance } from 'quittance'
import { SERVICE_URL } from '#app/base-path.ts'
import { errorOf, readEnvelope } from '#app/envelope.ts'
import { type Environment, type Membership, scopesIn } from '#app/session.ts'

export const PAYMENTS = '/svc/payment/api/v1/openapi'
export const ACCOUNT = '/svc/account/api/v1/openapi'

export type QueryValues = Readonly<Record<string, string | number | boolean | undefined>>

interface CallInput {
  readonly query?: QueryValues
  readonly body?: unknown
  readonly signal?: AbortSignal
  readonly idempotencyKey?: string
}

/** The API as one business and environment see it. Requests carry the cookie of the session and no key. */
export interface Api {
  readonly business: string
  readonly environment: Environment
  readonly quittance: Quittance
  /** Whether the role of the user has the scope here, such as `payments:write`. */
  readonly can: (scope: string) => boolean
  /** The key of a query. It separates businesses and environments. */
  readonly key: (...parts: readonly unknown[]) => readonly unknown[]
  /** Calls an operation that the SDK does not have, and returns `data` of the response. */
  readonly call: <Data>(method: string, path: string, input?: CallInput) => Promise<Data>
  /** Begins the download of a list as CSV. */
  readonly csv: (path: string, query: QueryValues, signal: AbortSignal) => Promise<Response>
}

export function createApi(membership: Membership, environment: Environment): Api {
  const { code } = membership.business
  const headers = { 'x-p-customer-code': code, 'quittance-environment': environment }
  const scopes = new Set(scopesIn(membership, environment))
  return {
    business: code,
    environment,
    can: (scope) => scopes.has(scope),
    key: (...parts) => [code, environment, ...parts],
    quittance: new Quittance({
      apiKey: null,
      baseUrl: SERVICE_URL,
      businessCode: code,
      headers: { 'quittance-environment': environment },
    }),
    call: async <Data>(
      method: string,
      path: string,
      { query, body, signal, idempotencyKey }: CallInput = {},
    ) => {
      const response = await fetch(SERVICE_URL + path + queryText(query), {
        method,
        headers: {
          ...headers,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(signal && { signal }),
      })
      const envelope = await readEnvelope(response)
      if (!response.ok || envelope?.data === undefined) throw errorOf(response, envelope)
      return envelope.data as Data
    },
    csv: async (path, query, signal) => {
      const response = await fetch(SERVICE_URL + path + queryText(query), {
        headers: { ...headers, accept: 'text/csv' },
        signal,
      })
      if (!response.ok) throw errorOf(response, await readEnvelope(response))
      return response
    },
  }
}

function queryText(values: QueryValues = {}): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.set(name, String(value))
  return query.size === 0 ? '' : `?${query.toString()}`
}

import { type ClientOptions, Quittance } from 'quittance'
import { WRITE_MS } from '#app/attempt.ts'
import { SERVICE_URL } from '#app/base-path.ts'
import { type Environment, type Membership, scopesIn } from '#app/session.ts'

export const PAYMENTS = '/svc/payment/api/v1/openapi'
export const BILLING = '/svc/billing/api/v1/openapi'
export const ACCOUNT = '/svc/account/api/v1/openapi'

type QueryValues = Readonly<Record<string, string | number | boolean | undefined>>

/** The API as one business and environment see it. Requests carry the cookie of the session and no key. */
export interface Api {
  readonly business: string
  readonly environment: Environment
  /** For reading. What changes something goes through `useWrite`. */
  readonly quittance: Quittance
  /** A client that sends each request once, through `send`. */
  readonly writer: (send: typeof fetch, timeoutMs?: number) => Quittance
  /** Whether the role of the user has the scope here, such as `payments:write`. */
  readonly can: (scope: string) => boolean
  /** The key of a query. It separates businesses and environments. */
  readonly key: (...parts: readonly unknown[]) => readonly unknown[]
  /**
   * Returns where a browser that is signed in gets a file, such as a list as CSV, without the headers of other
   * requests.
   */
  readonly downloadAddress: (path: string, query?: QueryValues) => string
}

export function createApi(membership: Membership, environment: Environment): Api {
  const { code } = membership.business
  const client = (send: typeof fetch, options: Partial<ClientOptions>) =>
    new Quittance({
      apiKey: null,
      baseUrl: SERVICE_URL,
      businessCode: code,
      headers: { 'quittance-environment': environment },
      fetch: send,
      ...options,
    })
  const scopes = new Set(scopesIn(membership, environment))
  return {
    business: code,
    environment,
    can: (scope) => scopes.has(scope),
    key: (...parts) => [code, environment, ...parts],
    quittance: client(readOnly, {}),
    writer: (send, timeoutMs = WRITE_MS) => client(send, { maxRetries: 0, timeoutMs }),
    downloadAddress: (path, query) =>
      `${SERVICE_URL}/console/downloads/${encodeURIComponent(code)}/${environment}${path}${queryText(query)}`,
  }
}

const readOnly: typeof fetch = (url, init = {}) => {
  if (new Headers(init.headers).has('idempotency-key'))
    throw new TypeError(`A ${init.method} with an idempotency key goes through useWrite`)
  return fetch(url, init)
}

function queryText(values: QueryValues = {}): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.set(name, String(value))
  return query.size === 0 ? '' : `?${query.toString()}`
}

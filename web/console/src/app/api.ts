import { Quittance } from 'quittance'
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
  readonly quittance: Quittance
  /** Whether the role of the user has the scope here, such as `payments:write`. */
  readonly can: (scope: string) => boolean
  /** The key of a query. It separates businesses and environments. */
  readonly key: (...parts: readonly unknown[]) => readonly unknown[]
  /** Where a browser that is signed in gets a file, such as a list as CSV, without the headers of other requests. */
  readonly downloadAddress: (path: string, query?: QueryValues) => string
}

export function createApi(membership: Membership, environment: Environment): Api {
  const { code } = membership.business
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
    downloadAddress: (path, query) =>
      `${SERVICE_URL}/console/downloads/${encodeURIComponent(code)}/${environment}${path}${queryText(query)}`,
  }
}

function queryText(values: QueryValues = {}): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.set(name, String(value))
  return query.size === 0 ? '' : `?${query.toString()}`
}

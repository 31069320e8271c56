/** A request as the request log shows it. */
interface Logged {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly request_body: string | null
}

/** How redaction shows what it took out. */
const REDACTED = /\[(?:redacted|Redacted|cut|truncated)|\*{4,}/

/** Why a request cannot be sent to the test environment, wherever it was logged, as a key of the texts. */
export function replayProblem(
  request: Logged,
  { test_scopes: scopes }: { readonly test_scopes: readonly string[] },
): 'no_test' | 'no_scope' | 'redacted' | 'cut' | undefined {
  const { request_body: body, path, query } = request
  if (scopes.length === 0) return 'no_test'
  if (!scopes.includes(scopeOf(request))) return 'no_scope'
  if (REDACTED.test(`${body ?? ''}${path}${query}`)) return 'redacted'
  return isJson(body) ? undefined : 'cut'
}

function isJson(text: string | null): boolean {
  if (text === null || text === '') return true
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const AREAS: readonly (readonly [prefix: RegExp, area: string])[] = [
  [/\/recurring_payments\//, 'recurring'],
  [/\/billing_details/, 'billing_details'],
  [/\/(legal_entities|tax_rates|exchange_rates|tax_engine)/, 'billing'],
  [/^\/svc\/billing\/.*\/settings/, 'billing'],
  [/^\/svc\/billing\//, 'recurring'],
  [/\/customers/, 'customers'],
  [/^\/svc\/payment\//, 'payments'],
  [/\/cards/, 'cards'],
  [/\/digital_wallets/, 'wallets'],
  [/^\/svc\/event\//, 'webhooks'],
  [/^\/svc\/log\//, 'logs'],
]

/** A guess that spares a refusal. The service knows the scope of each operation. */
export function scopeOf({ method, path }: Pick<Logged, 'method' | 'path'>): string {
  const area = AREAS.find(([prefix]) => prefix.test(path))?.[1] ?? 'admin'
  return `${area}:${method === 'GET' || area === 'logs' ? 'read' : 'write'}`
}

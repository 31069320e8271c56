import type { Membership } from '#app/session.ts'
import type { LoggedRequest } from '#pages/requests/request-page.tsx'

/** How redaction shows what it took out. */
const REDACTED = /\[(?:redacted|Redacted|cut|truncated)|\*{4,}/

/** Why a request cannot be sent again, as a key of the texts. */
export function replayProblem(
  { request_body: body, path, query }: LoggedRequest,
  membership: Membership,
): 'no_test' | 'redacted' | 'cut' | undefined {
  if (membership.test_role === null) return 'no_test'
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
  [/\/customers/, 'customers'],
  [/^\/svc\/payment\//, 'payments'],
  [/\/cards/, 'cards'],
  [/\/digital_wallets/, 'wallets'],
  [/^\/svc\/event\//, 'webhooks'],
  [/^\/svc\/log\//, 'logs'],
]

/** A guess that spares a refusal. The service knows the scope of each operation. */
export function scopeOf({ method, path }: Pick<LoggedRequest, 'method' | 'path'>): string {
  const area = AREAS.find(([prefix]) => prefix.test(path))?.[1] ?? 'admin'
  return `${area}:${method === 'GET' || area === 'logs' ? 'read' : 'write'}`
}

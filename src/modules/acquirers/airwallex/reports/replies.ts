import type { Reply } from '../../port/disputes.ts'
import type { AirwallexResponse } from '../wire/airwallex-client.ts'
import { safeMessage } from '../wire/members.ts'

export function failedReply(response: Exclude<AirwallexResponse, { kind: 'ok' }>): Reply<never> {
  if (response.kind === 'unknown') return { kind: 'unavailable', message: response.message }
  if (response.status === 404) return { kind: 'absent' }
  const said = safeMessage(response.error.message)
  return { kind: 'refused', message: said ?? `Airwallex responded with HTTP ${response.status}.` }
}

export function unreadable(): Reply<never> {
  return { kind: 'unavailable', message: "Airwallex's response cannot be parsed." }
}

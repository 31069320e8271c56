import type { Inquiry, Outcome } from '../port/port.ts'

export function said(outcome: Outcome | Inquiry): string {
  if (outcome.kind === 'unknown') return 'unknown'
  if (outcome.kind === 'absent') return outcome.closed ? 'absent forever' : 'absent'
  if (outcome.kind === 'declined' && outcome.hard) return `declined ${outcome.responseCode} hard`
  return `${outcome.kind} ${outcome.responseCode}`
}

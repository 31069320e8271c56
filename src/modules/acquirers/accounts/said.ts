import type { Inquiry, NextAction, Outcome } from '../port/port.ts'

/** No id, code or message of an acquirer is longer, and an index has room for it. */
const MAX_TEXT = 500

/** These would run what the acquirer wrote as if our page had written it. */
const SCRIPTS: ReadonlySet<string> = new Set(['javascript:', 'data:', 'vbscript:', 'blob:', 'file:'])

/**
 * What an acquirer said, as it can be stored and shown. An outcome that PostgreSQL refuses would be asked for again without end, and
 * the payment would stay unresolved.
 */
export function storable<Said extends Outcome | Inquiry>(said: Said): Said {
  const members = Object.entries(said).map(([name, value]) => [
    name,
    typeof value === 'string' ? storableText(value) : value,
  ])
  const kept = Object.fromEntries(members) as Said
  if (kept.kind !== 'pending' || kept.nextAction === undefined) return kept
  return { ...kept, nextAction: withoutScript(kept.nextAction) }
}

export function storableText(text: string): string {
  return text.slice(0, MAX_TEXT).replaceAll('\0', '').toWellFormed()
}

/** Apps of wallets have schemes of their own. */
function withoutScript(action: NextAction): NextAction {
  const url = URL.parse(action.url)
  return url !== null && SCRIPTS.has(url.protocol) ? { ...action, url: '' } : action
}

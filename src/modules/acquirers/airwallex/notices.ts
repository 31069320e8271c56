import { createHmac, timingSafeEqual } from 'node:crypto'
import { isStorable } from '#platform/http/validation/strings'
import type { Notice, NoticeReading, NoticeRequest, NoticeSubject, ReadNotices } from '../port/notices.ts'
import { type Members, parseMembers } from '../port/members.ts'
import { membersOf, textOf } from './wire/members.ts'

/** The age that Airwallex's samples allow, in either direction (reference/acquirers#airwallex). */
const TOLERANCE_MS = 300_000
const MAX_LENGTH = 255

export function webhookSecrets(credentials: Readonly<Record<string, string>>): string[] {
  return (credentials.webhook_secret ?? '').split(',').flatMap((secret) => secret.trim() || [])
}

/**
 * Airwallex repeats a notice until it gets exactly 200, so a signed one that means nothing to us is taken, too: of an unknown
 * kind or form, of nothing that we know, or of another account.
 */
export function noticeReader(secrets: readonly string[], account: string): ReadNotices {
  return (request) => {
    if (!isSigned(request, secrets)) return { ok: false, reason: 'invalid_signature' }
    return readNotice(parseMembers(request.body.toString()), account)
  }
}

function isSigned({ body, headers, receivedAt }: NoticeRequest, secrets: readonly string[]): boolean {
  const { 'x-timestamp': timestamp, 'x-signature': signature } = headers
  if (typeof timestamp !== 'string' || !/^\d{1,15}$/.test(timestamp)) return false
  if (typeof signature !== 'string' || !/^[0-9a-fA-F]{64}$/.test(signature)) return false
  if (Math.abs(receivedAt.epochMilliseconds - Number(timestamp)) > TOLERANCE_MS) return false
  const given = Buffer.from(signature, 'hex')
  return secrets.some((secret) =>
    timingSafeEqual(createHmac('sha256', secret).update(timestamp).update(body).digest(), given),
  )
}

function readNotice(event: Members | null, account: string): NoticeReading {
  const id = textOf(event?.id)
  const type = textOf(event?.name)
  const owner = textOf(event?.account_id) ?? textOf(event?.accountId)
  if (id === null || type === null || (owner !== null && owner !== account)) return { ok: true, notices: [] }
  const data = membersOf(event?.data)
  const subject = subjectOf(type, membersOf(data.object ?? data))
  const texts = [id, type, subject?.reference ?? '', subject?.key ?? '']
  if (subject === null || !texts.every(isKeepable)) return { ok: true, notices: [] }
  const notice: Notice = { id, type, subject, facts: {} }
  return { ok: true, notices: [notice] }
}

function isKeepable(text: string): boolean {
  return text.length <= MAX_LENGTH && isStorable(text)
}

/** Both are read again before they count (`later-failures.ts`). */
export const FAILURES: ReadonlySet<string> = new Set(['payment_attempt.capture_failed', 'refund.failed'])
export const CANCELED = 'payment_intent.cancelled'
const OF_AGREEMENTS: ReadonlySet<string> = new Set([
  'payment_consent.paused',
  'payment_consent.disabled',
  'payment_consent.updated',
])

const KINDS: ReadonlyArray<readonly [prefix: string, kind: NoticeSubject['kind']]> = [
  ['payment_intent.', 'payment'],
  ['payment_attempt.', 'payment'],
  ['refund.', 'payment'],
  ['payment_consent.', 'verification'],
  ['payment_dispute.', 'dispute'],
]

function subjectOf(type: string, object: Members): NoticeSubject | null {
  const isAttempt = type.startsWith('payment_attempt.')
  const reference = textOf(isAttempt ? object.payment_intent_id : object.id) ?? textOf(object.id)
  if (reference === null) return null
  const key = textOf(membersOf(object.metadata).quittance_key)
  if (FAILURES.has(type)) return { kind: 'failure', reference, key }
  const { quittance_kind: held } = membersOf(object.metadata)
  if (type === CANCELED && held === 'authorization') return { kind: 'release', reference, key }
  if (OF_AGREEMENTS.has(type)) return { kind: 'instrument', reference, key }
  return { kind: KINDS.find(([prefix]) => type.startsWith(prefix))?.[1] ?? 'other', reference, key }
}

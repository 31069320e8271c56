import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Notice, NoticeReading, NoticeRequest, NoticeSubject, ReadNotices } from '../port/notices.ts'
import { type Members, parseMembers } from '../port/members.ts'
import { idOf, membersOf, textOf } from './wire/members.ts'

/** The tolerance of Stripe's own libraries (reference/acquirers#stripe). */
const TOLERANCE_SECONDS = 300

export function noticeReader(secrets: readonly string[]): ReadNotices {
  return (request) => {
    if (!isSigned(request, secrets)) return { ok: false, reason: 'invalid_signature' }
    return readEvent(parseMembers(request.body.toString()))
  }
}

function isSigned({ body, headers, receivedAt }: NoticeRequest, secrets: readonly string[]): boolean {
  const { timestamp, signatures } = readSignatures(headers['stripe-signature'])
  if (timestamp === null) return false
  const ageSeconds = Math.floor(receivedAt.epochMilliseconds / 1000) - Number(timestamp)
  if (ageSeconds > TOLERANCE_SECONDS) return false
  return secrets.some((secret) => {
    const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest()
    return signatures.some((one) => one.length === expected.length && timingSafeEqual(one, expected))
  })
}

function readSignatures(header: string | string[] | undefined): {
  timestamp: string | null
  signatures: Buffer[]
} {
  const parts = typeof header === 'string' ? header.split(',').map((part) => part.trim()) : []
  const valuesOf = (scheme: string) =>
    parts.flatMap((part) => (part.startsWith(`${scheme}=`) ? part.slice(scheme.length + 1) : []))
  const [timestamp = ''] = valuesOf('t')
  return {
    timestamp: /^\d{1,12}$/.test(timestamp) ? timestamp : null,
    signatures: valuesOf('v1').map((hex) => Buffer.from(hex, 'hex')),
  }
}

function readEvent(event: Members | null): NoticeReading {
  const id = textOf(event?.id)
  const type = textOf(event?.type)
  const object = membersOf(membersOf(event?.data).object ?? event?.related_object)
  const subject = type === null ? null : subjectOf(type, object)
  if (id === null || type === null || subject === null) return { ok: false, reason: 'invalid_body' }
  const notice: Notice = { id, type, subject, facts: {} }
  return { ok: true, notices: [notice] }
}

const KINDS: ReadonlyArray<readonly [prefix: string, kind: NoticeSubject['kind']]> = [
  ['payment_intent.', 'payment'],
  ['charge.dispute.', 'dispute'],
  ['charge.', 'payment'],
  ['refund.', 'payment'],
  ['setup_intent.', 'verification'],
  ['payment_method.', 'instrument'],
  ['payout.', 'report'],
]

function subjectOf(type: string, object: Members): NoticeSubject | null {
  const reference = referenceOf(object)
  if (reference === null) return null
  const kind = KINDS.find(([prefix]) => type.startsWith(prefix))?.[1] ?? 'other'
  return { kind, reference, key: textOf(membersOf(object.metadata).quittance_key) }
}

function referenceOf(object: Members): string | null {
  const intent = object.object === 'charge' ? idOf(object.payment_intent) : null
  return intent ?? textOf(object.id)
}

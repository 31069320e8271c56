import { createHmac, timingSafeEqual } from 'node:crypto'
import type { AccountSettings } from '../../port/adapter.ts'
import type { Notice, NoticeReading, NoticeSubject, ReadNotices } from '../../port/notices.ts'
import { hmacKeysOf } from '../account.ts'
import { type Members, parseMembers } from '../../port/members.ts'
import { listOf, membersOf, textOf } from '../members.ts'
import { type Facts, factsOf } from './facts.ts'

export const SETTLEMENT_REPORTS = 'settlement_detail_report'

const DISPUTE_EVENTS = new Set([
  'REQUEST_FOR_INFORMATION',
  'NOTIFICATION_OF_CHARGEBACK',
  'CHARGEBACK',
  'CHARGEBACK_REVERSED',
  'SECOND_CHARGEBACK',
  'INFORMATION_SUPPLIED',
  'DISPUTE_DEFENSE_PERIOD_ENDED',
  'ISSUER_RESPONSE_TIMEFRAME_EXPIRED',
  'ISSUER_COMMENTS',
  'PREARBITRATION_OPEN',
  'PREARBITRATION_ACCEPTED',
  'PREARBITRATION_DECLINED',
  'PREARBITRATION_ISSUER_WITHDRAWN',
  'PREARBITRATION_WON',
  'PREARBITRATION_LOST',
  'SCHEME_ARBITRATION',
  'SCHEME_ARBITRATION_WON',
  'SCHEME_ARBITRATION_LOST',
])
const PAYMENT_EVENTS = new Set([
  'AUTHORISATION',
  'CAPTURE',
  'CAPTURE_FAILED',
  'CANCELLATION',
  'TECHNICAL_CANCEL',
  'CANCEL_OR_REFUND',
  'REFUND',
  'REFUND_FAILED',
  'REFUNDED_REVERSED',
  'EXPIRE',
])
const OWN_SUFFIX = /:(capture|cancel)$/

/**
 * Adyen signs a message once and repeats it for days until it is accepted, so the age of the signature is not checked.
 * The signature covers only the members that `signedText` joins.
 */
export function createReadNotices({ credentials }: Pick<AccountSettings, 'credentials'>): ReadNotices {
  const keys = hmacKeysOf(credentials.hmac_key ?? '').map((key) => Buffer.from(key, 'hex'))
  const merchantAccount = credentials.merchant_account ?? ''
  return ({ body, headers }) => {
    const content = parseMembers(body.toString())
    if (content === null) return UNSIGNED
    if (typeof headers.hmacsignature === 'string') {
      const isAuthentic = isSignature(headers.hmacsignature, body, keys)
      return isAuthentic ? readTokenEvent(content, merchantAccount) : UNSIGNED
    }
    return readStandard(content, { keys, merchantAccount })
  }
}

const UNSIGNED = { ok: false, reason: 'invalid_signature' } as const
const INVALID = { ok: false, reason: 'invalid_body' } as const

function readStandard(
  content: Members,
  { keys, merchantAccount }: { readonly keys: readonly Buffer[]; readonly merchantAccount: string },
): NoticeReading {
  const items = listOf(content, 'notificationItems').map((each) => membersOf(each, 'NotificationRequestItem'))
  const areSigned = items.every((item) =>
    isSignature(textOf(membersOf(item, 'additionalData'), 'hmacSignature'), signedText(item), keys),
  )
  if (items.length === 0 || !areSigned) return UNSIGNED
  const notices: Notice[] = []
  for (const item of items) {
    const facts = factsOf(item)
    if (facts === null) return INVALID
    if (textOf(item, 'merchantAccountCode') === merchantAccount) notices.push(noticeOf(facts))
  }
  return { ok: true, notices }
}

function readTokenEvent(content: Members, merchantAccount: string): NoticeReading {
  const type = textOf(content, 'type')
  const data = membersOf(content, 'data')
  const reference = textOf(data, 'storedPaymentMethodId')
  const eventId = textOf(content, 'eventId')
  if (!type.startsWith('recurring.token.') || reference === '' || eventId === '') return INVALID
  if (textOf(data, 'merchantAccount') !== merchantAccount) return { ok: true, notices: [] }
  const subject = { kind: 'instrument', reference, key: null } as const
  return { ok: true, notices: [{ id: `${type}:${eventId}`, type, subject, facts: {} }] }
}

function isSignature(given: string, signed: string | Buffer, keys: readonly Buffer[]): boolean {
  const signature = Buffer.from(given, 'base64')
  return keys.some((key) => {
    const expected = createHmac('sha256', key).update(signed).digest()
    return signature.length === expected.length && timingSafeEqual(signature, expected)
  })
}

function signedText(item: Members): string {
  const amount = membersOf(item, 'amount')
  return [
    item.pspReference,
    item.originalReference,
    item.merchantAccountCode,
    item.merchantReference,
    amount.value,
    amount.currency,
    item.eventCode,
    item.success,
  ].join(':')
}

function noticeOf(facts: Facts): Notice {
  const { eventCode = '', pspReference, success, disputeStatus } = facts
  const id = [eventCode, pspReference, success, disputeStatus].filter((part) => part !== undefined).join(':')
  return { id, type: eventCode, subject: subjectOf(facts), facts }
}

function subjectOf(facts: Facts): NoticeSubject {
  const { eventCode = '', pspReference = '', originalReference, merchantReference } = facts
  const key = merchantReference?.replace(OWN_SUFFIX, '') ?? null
  if (eventCode === 'REPORT_AVAILABLE') {
    const isSettlement = pspReference.startsWith(SETTLEMENT_REPORTS)
    return { kind: 'report', reference: isSettlement ? SETTLEMENT_REPORTS : pspReference, key: null }
  }
  if (eventCode === 'RECURRING_CONTRACT') return { kind: 'instrument', reference: pspReference, key }
  if (DISPUTE_EVENTS.has(eventCode)) return { kind: 'dispute', reference: pspReference, key }
  if (!PAYMENT_EVENTS.has(eventCode)) return { kind: 'other', reference: pspReference, key }
  return { kind: kindOfPayment(facts), reference: originalReference ?? pspReference, key }
}

function kindOfPayment(facts: Facts): NoticeSubject['kind'] {
  if (facts.eventCode === 'AUTHORISATION') return kindOfAuthorisation(facts)
  if (facts.eventCode === 'EXPIRE') return facts.success === 'true' ? 'expiry' : 'payment'
  return isFailure(facts) ? 'failure' : 'payment'
}

const FAILURES = new Set(['CAPTURE_FAILED', 'REFUND_FAILED', 'REFUNDED_REVERSED'])

function isFailure({ eventCode = '', success }: Facts): boolean {
  return FAILURES.has(eventCode) || (/^(CAPTURE|REFUND)$/.test(eventCode) && success === 'false')
}

function kindOfAuthorisation({ value, success }: Facts): NoticeSubject['kind'] {
  if (value === '0') return 'verification'
  return success === 'true' ? 'hold' : 'payment'
}

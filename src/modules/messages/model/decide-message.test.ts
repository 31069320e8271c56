import { expect, test } from 'vitest'
import type { Customer } from '#modules/customers'
import { isMailAddress } from '#platform/mail/address'
import { decideMessage } from './decide-message.ts'
import type { MessageCause } from './message.ts'
import { DEFAULT_SETTINGS } from './settings.ts'
import type { SuppressionKind } from './suppression.ts'

const AT = Temporal.Instant.from('2027-03-01T09:00:00Z')
const UUID = 'cus_amy'
const AMY: Customer = {
  uuid: UUID,
  referenceNumber: 'amy',
  name: 'Amy Lee',
  email: 'amy@example.com',
  dialCode: null,
  phone: '',
  companyName: null,
  defaultPaymentMethod: null,
  defaultToken: null,
  messagesOff: null,
  metadata: null,
  createdAt: AT,
  updatedAt: AT,
  erasedAt: null,
}
const RECEIPT: MessageCause = {
  kind: 'receipt',
  objectId: 'ord_1',
  cause: '',
  customerUuid: UUID,
  facts: { orderId: 'ord_1' },
  at: AT,
}

interface Given {
  readonly customer?: Partial<Customer>
  readonly details?: { readonly invoiceEmail: string | null; readonly language: string | null }
  readonly language?: string
  readonly isTest?: boolean
  readonly suppressions?: readonly (readonly [string, SuppressionKind])[]
}

function decide(given: Given, cause: MessageCause = RECEIPT) {
  const ground = {
    settings: { ...DEFAULT_SETTINGS, language: given.language ?? null },
    isTest: given.isTest ?? false,
    customers: new Map([[UUID, { ...AMY, ...given.customer }]]),
    details: new Map(given.details === undefined ? [] : [[UUID, given.details]]),
    suppressions: new Map(given.suppressions),
    languageOf: (tag: string) => (['de', 'fr'].includes(tag) ? tag : undefined),
    isAddress: isMailAddress,
  }
  return decideMessage(cause, ground, 'msg_1')
}

// Proves reference/messages#recipients.
test('a message goes to invoice_email, else to the e-mail of the customer, else it is not made', () => {
  const details = { invoiceEmail: 'office@example.com', language: null }
  expect(decide({ details })?.recipient).toBe('office@example.com')
  expect(decide({})?.recipient).toBe('amy@example.com')
  expect(decide({ customer: { email: null } })).toBeNull()
})

test.each([
  'amy@example.com, eve@example.com',
  'Amy <amy@example.com>',
  'amy@example.com\r\nBcc: e@example.com',
  '',
])('nothing goes to %j, which is not exactly one address', (email) => {
  expect(decide({ customer: { email } })).toBeNull()
})

test("the customer's language comes first, then the settings', then English", () => {
  const details = (language: string | null) => ({ invoiceEmail: null, language })
  expect(decide({ details: details('fr'), language: 'de' })?.language).toBe('fr')
  expect(decide({ details: details('xx'), language: 'de' })?.language).toBe('de')
  expect(decide({ details: details(null) })?.language).toBe('en')
})

test('a customer silences any kind, and an erased one gets nothing', () => {
  expect(decide({ customer: { messagesOff: ['receipt'] } })).toBeNull()
  expect(decide({ customer: { messagesOff: ['invoice'] } })?.state).toBe('queued')
  expect(decide({ customer: { erasedAt: AT } })).toBeNull()
})

test('a message that is sent again although its kind is off reaches nobody, no copy either', () => {
  const again = { ...RECEIPT, resentFrom: 'msg_0' }
  const decided = decide({ customer: { messagesOff: ['receipt'] } }, again)
  expect(decided).toMatchObject({ state: 'suppressed', dueAt: null })
})

test('a hard bounce stops every kind, a complaint the optional ones', () => {
  const card: MessageCause = { ...RECEIPT, kind: 'card_expiring', objectId: 'tok_1' }
  const suppressions = (kind: SuppressionKind) => ({ suppressions: [['amy@example.com', kind] as const] })
  expect(decide(suppressions('hard'))?.state).toBe('suppressed')
  expect(decide(suppressions('complaint'))?.state).toBe('queued')
  expect(decide(suppressions('complaint'), card)?.state).toBe('suppressed')
  expect(decide(suppressions('unsubscribe'), card)?.state).toBe('suppressed')
})

test('a test environment keeps what it makes', () => {
  expect(decide({ isTest: true })?.state).toBe('kept')
})

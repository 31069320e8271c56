import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Inquiry } from '#modules/acquirers'
import { decideBinding } from './binding.ts'
import { isChargeable, type PaymentToken, stateAt, whyNotChargeable } from '../model/payment-token.ts'

const createdAt = Temporal.Instant.from('2026-11-21T00:00:00Z')
const pending: PaymentToken = {
  businessId: 'biz_1',
  token: 'pmt_1',
  customerUuid: 'cus_1',
  tokenType: 'CreditCard',
  state: 'pending',
  isDefault: false,
  verifyUuid: 'vrf_1',
  defaultRequested: null,
  brand: 'visa',
  first6: '424242',
  last4: '4242',
  numberLength: 16,
  holderName: 'Ada',
  expMonth: 12,
  expYear: 2030,
  billingCurrency: 'HKD',
  expiresAt: Temporal.Instant.from('2030-12-31T16:00:00Z'),
  sealed: 'sealed',
  acquirerAccountId: 'simulator',
  acquirerToken: null,
  payerReference: null,
  country: null,
  verificationReference: null,
  verificationSentAt: createdAt,
  errorCode: null,
  errorMessage: null,
  returnUrl: null,
  awaiting: 'acquirer',
  nextActionUrl: null,
  nextAction: null,
  walletName: null,
  walletAccount: null,
  inquiries: 0,
  dueAt: createdAt,
  idempotencyId: null,
  createdAt,
}
const record = {
  gatewayTransactionId: 'g',
  rrn: 'r',
  authCode: '',
  batchNumber: '',
  responseCode: 'code',
  responseMessage: 'message',
}
const OUTCOMES: readonly Inquiry[] = [
  { kind: 'approved', ...record },
  { kind: 'declined', hard: false, ...record },
  { kind: 'pending', ...record, nextAction: { type: 'three_d_secure', url: 'http://acquirer.test/p' } },
  { kind: 'unknown', responseMessage: 'timeout' },
  { kind: 'absent', closed: false },
  { kind: 'absent', closed: true },
]

// Proves reference/customers#binding, reference/customers#token-states.
test('inquiries about an unknown outcome follow after 1 s, 10 s, 1 min, 10 min, then hourly, and never end', () => {
  const delays: number[] = []
  let token = pending
  let at = createdAt
  for (let i = 0; i < 7; i++) {
    const decision = decideBinding(token, { kind: 'unknown', responseMessage: '' }, at)
    if (decision.state !== 'pending') throw new Error('the inquiries ended')
    delays.push(decision.dueAt.since(at).total('seconds'))
    at = decision.dueAt
    token = { ...token, inquiries: decision.inquiries }
  }
  expect(delays).toEqual([1, 10, 60, 600, 3600, 3600, 3600])
})

test('a payer has exactly 24 hours, and inquiries come after a second at first and at least hourly', () => {
  let token: PaymentToken = { ...pending, awaiting: 'payer' }
  let at = createdAt
  const delays: number[] = []
  for (;;) {
    const decision = decideBinding(token, { kind: 'pending', ...record }, at)
    if (decision.state !== 'pending') {
      expect(decision).toMatchObject({ state: 'failed', errorCode: 'expired' })
      break
    }
    delays.push(decision.dueAt.since(at).total('seconds'))
    at = decision.dueAt
    token = { ...token, dueAt: at }
  }
  expect(at.since(createdAt).total('hours')).toBe(24)
  expect(delays[0]).toBe(1)
  expect(Math.max(...delays)).toBeLessThanOrEqual(3600)
  expect(delays.length).toBeLessThan(60)
})

test('only an approval makes a token active, and a pending token is always due again', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...OUTCOMES),
      fc.constantFrom('acquirer' as const, 'payer' as const),
      fc.integer({ min: 0, max: 9 }),
      fc.integer({ min: 0, max: 100 * 3_600_000 }),
      (answer, awaiting, inquiries, milliseconds) => {
        const at = createdAt.add({ milliseconds })
        const decision = decideBinding({ ...pending, awaiting, inquiries }, answer, at)
        expect(decision.state === 'active').toBe(answer.kind === 'approved')
        if (decision.state === 'pending') {
          expect(Temporal.Instant.compare(decision.dueAt, at)).toBe(1)
        }
        if (answer.kind === 'unknown') expect(decision.state).toBe('pending')
      },
    ),
  )
})

test('a card that is confirmed after its last month fails', () => {
  const { expiresAt } = pending
  if (expiresAt === null) throw new Error('the card has no expiry')
  const approved: Inquiry = { kind: 'approved', ...record }
  expect(decideBinding(pending, approved, expiresAt.subtract({ nanoseconds: 1 }))).toEqual({
    state: 'active',
  })
  expect(decideBinding(pending, approved, expiresAt)).toMatchObject({
    state: 'failed',
    errorCode: 'expired_card',
  })
  expect(decideBinding({ ...pending, expiresAt: null }, approved, expiresAt)).toEqual({ state: 'active' })
})

test('only an active token that has not expired is chargeable', () => {
  const end = Temporal.Instant.from('2030-12-31T16:00:00Z')
  const before = end.subtract({ nanoseconds: 1 })
  for (const state of ['pending', 'failed', 'deleted'] as const) {
    expect(isChargeable({ ...pending, state }, before)).toBe(false)
    expect(stateAt({ ...pending, state }, end)).toBe(state)
    expect(whyNotChargeable({ ...pending, state }, before)).toBe('payment_token_not_active')
  }
  const active = { ...pending, state: 'active' as const }
  expect(isChargeable(active, before)).toBe(true)
  expect(stateAt(active, end)).toBe('expired')
  expect(whyNotChargeable(active, end)).toBe('payment_token_expired')
  expect(isChargeable({ ...active, expiresAt: null }, end)).toBe(true)
})

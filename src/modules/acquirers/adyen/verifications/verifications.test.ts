import { beforeEach, expect, test } from 'vitest'
import type { Inquiry, VerifiedInstrument, VerifyOutcome } from '../../port/port.ts'
import { card, decide, lookup, startAdyenTwin, THREE_D_SECURE, verifyCall } from '../testing/adyen-twin.ts'
import { said } from '../../testing/said.ts'

// Proves reference/acquirers#adyen.
const { twin, acquirer, booked, notices, receiveNotices, noticesOf, reset } = await startAdyenTwin()

beforeEach(reset)

function instrumentIn(outcome: VerifyOutcome | Inquiry): VerifiedInstrument {
  if (outcome.kind !== 'approved' || outcome.instrument === undefined) throw new Error(said(outcome))
  return outcome.instrument
}

test('a card is stored without moving money, and its brand and digits are read', async () => {
  const { request } = verifyCall({ instrument: card('Chan Tai Man', '5555555555554444') })
  const instrument = instrumentIn(await acquirer.verify(request))
  expect(instrument).toEqual({
    id: expect.stringMatching(/^[A-Z0-9]{16}$/),
    payerReference: request.payer.customerUuid,
    brand: 'mastercard',
    first6: '555555',
    last4: '4444',
    expMonth: 3,
    expYear: 2030,
    holderName: 'Chan Tai Man',
    country: 'GB',
  })
  expect(await booked(request.key)).toEqual([])
})

test('a payment method that Adyen stores already is looked up by its id and payer', async () => {
  const first = verifyCall()
  const { id, payerReference } = instrumentIn(await acquirer.verify(first.request))
  const { request } = verifyCall({ instrument: { type: 'acquirer_token', id, payerReference } })
  expect(instrumentIn(await acquirer.verify(request))).toMatchObject({ id, brand: 'visa', last4: '1111' })
  expect(await booked(request.key)).toEqual([])
  expect(await acquirer.readInstrument({ id, payerReference })).toMatchObject({ kind: 'ok', value: { id } })
  expect(await acquirer.readInstrument({ id, payerReference: 'someone else' })).toEqual({ kind: 'absent' })
  expect(await acquirer.readInstrument({ id, payerReference: null })).toEqual({ kind: 'absent' })
})

test('a payment method of another payer is refused', async () => {
  const { id } = instrumentIn(await acquirer.verify(verifyCall().request))
  const { request } = verifyCall({ instrument: { type: 'acquirer_token', id, payerReference: null } })
  expect(said(await acquirer.verify(request))).toBe('refused stored_payment_method_not_found')
})

test('a declined card is not stored', async () => {
  const { request } = verifyCall({ instrument: card('NOT_ENOUGH_BALANCE') })
  expect(said(await acquirer.verify(request))).toBe('declined 12')
})

test('a card with 3-D Secure is stored when its payer comes back', async () => {
  const { request, committed } = verifyCall({ instrument: card('Chan Tai Man', THREE_D_SECURE) })
  const outcome = await acquirer.verify(request)
  if (outcome.kind !== 'pending' || outcome.nextAction === undefined) throw new Error(said(outcome))
  const question = lookup(request.key, { kind: 'verification', amount: null, reference: committed() })
  expect(said(await acquirer.inquire(question))).toBe('pending Pending')
  const returned = await decide(outcome.nextAction.url, 'approve')
  const inquiry = await acquirer.inquire({ ...question, returned })
  expect(instrumentIn(inquiry)).toMatchObject({ last4: '1237', payerReference: request.payer.customerUuid })
  expect(said(await acquirer.closeKey(question))).toBe('absent forever')
})

test('a lost answer is closed by our own row, as nothing can be charged', async () => {
  await twin.setFaults({ lose_answer: 1, match: '/payments$' })
  const { request, committed } = verifyCall()
  expect(said(await acquirer.verify(request))).toBe('unknown')
  await twin.setFaults({})
  const question = lookup(request.key, { kind: 'verification', amount: null, reference: committed() })
  expect(said(await acquirer.inquire(question))).toBe('absent')
  expect(said(await acquirer.closeKey(question))).toBe('absent forever')
})

test('a lost answer is found out by the notice', async () => {
  await receiveNotices()
  await twin.setFaults({ lose_answer: 1, match: '/payments$' })
  const { request } = verifyCall()
  expect(said(await acquirer.verify(request))).toBe('unknown')
  await twin.setFaults({})
  await noticesOf(request.key, 'AUTHORISATION')
  const notice = notices.find(({ type }) => type === 'AUTHORISATION')
  expect(notice?.subject.kind).toBe('verification')
  const inquiry = await acquirer.inquire(lookup(request.key, { kind: 'verification', amount: null }))
  expect(instrumentIn(inquiry)).toMatchObject({ brand: 'visa', last4: '1111' })
})

test('Adyen reports when it stores a payment method', async () => {
  await receiveNotices()
  const { id } = instrumentIn(await acquirer.verify(verifyCall().request))
  await expect
    .poll(() => notices.map(({ subject }) => subject))
    .toContainEqual({ kind: 'instrument', reference: id, key: null })
})

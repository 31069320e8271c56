import { describe, expect, test } from 'vitest'
import type { Instrument } from '../../port/port.ts'
import { answerChallenge, connectToTwin, newVerification } from '../testing/twin.ts'

// Proves reference/acquirers#outcomes.
// Proves reference/acquirers#stripe.

const { twin, acquirer, sdk, newCharge, moved } = await connectToTwin()

const CONFIRM = '^POST /v1/setup_intents/[^/]+/confirm'

function tokenOf(id: string): Instrument {
  return { type: 'acquirer_token', id, payerReference: null }
}

function card(number: string): Instrument {
  return { type: 'card', number, expMonth: 12, expYear: 2035, cvc: '123', holderName: 'Ada Lovelace' }
}

async function emptyCustomer(): Promise<string> {
  return (await sdk.customers.create({})).id
}

describe('a verification', () => {
  test('attaches the payment method to a customer of the payer, and says what it is', async () => {
    const { request, row } = newVerification()
    const outcome = await acquirer.verify(request)
    expect(outcome).toMatchObject({ kind: 'approved', gatewayTransactionId: row.reference })
    const { instrument } = outcome
    expect(instrument).toMatchObject({
      brand: 'visa',
      last4: '4242',
      country: 'US',
      expMonth: expect.any(Number),
      expYear: expect.any(Number),
    })
    const method = await sdk.paymentMethods.retrieve(instrument?.id ?? '')
    expect(method.customer).toBe(instrument?.payerReference)
    const customer = await sdk.customers.retrieve(instrument?.payerReference ?? '')
    expect(customer).toMatchObject({
      email: 'ada@example.com',
      metadata: { quittance_customer: request.payer.customerUuid },
    })
    const setup = await sdk.setupIntents.retrieve(row.reference ?? '')
    expect(setup).toMatchObject({ usage: 'off_session', metadata: { quittance_key: request.key } })
    expect(await moved(request.key)).toEqual([])
  })

  test('lets the card be charged without the payer', async () => {
    const { request, lookup } = newVerification({
      instrument: tokenOf('pm_card_authenticationRequiredOnSetup'),
    })
    const asked = await acquirer.verify(request)
    expect(asked).toMatchObject({ kind: 'pending', nextAction: { type: 'three_d_secure' } })
    await answerChallenge(asked, 'approve')
    const verified = await acquirer.inquire(lookup())
    if (verified.kind !== 'approved' || verified.instrument === undefined) throw new Error(verified.kind)
    const { id, payerReference } = verified.instrument
    const instrument = { type: 'acquirer_token', id, payerReference } as const
    const charge = await newCharge('', { instrument, payerPresent: false })
    expect((await acquirer.sale(charge.request)).kind).toBe('approved')
  })

  test.each([
    ['visa', '4242424242424242'],
    ['mastercard', '5555555555554444'],
    ['amex', '378282246310005'],
    ['unionpay', '6200000000000005'],
  ])('of a raw card of %s', async (brand, number) => {
    const outcome = await acquirer.verify(newVerification({ instrument: card(number) }).request)
    expect(outcome).toMatchObject({
      kind: 'approved',
      instrument: { brand, last4: number.slice(-4), holderName: 'Ada Lovelace', expMonth: 12, expYear: 2035 },
    })
    expect(JSON.stringify(outcome)).not.toContain(number)
  })

  test('of what the browser collected', async () => {
    const browser = await fetch(`${twin.url}/v1/payment_methods`, {
      method: 'POST',
      headers: { authorization: 'Bearer pk_test_shop' },
      body: new URLSearchParams({
        type: 'card',
        'card[number]': '4242424242424242',
        'card[exp_month]': '12',
        'card[exp_year]': '2035',
      }),
    })
    const { id } = (await browser.json()) as { id: string }
    const { request } = newVerification({ instrument: { type: 'component', data: id } })
    expect(await acquirer.verify(request)).toMatchObject({ kind: 'approved', instrument: { id } })
  })

  test('uses the customer that the payer has', async () => {
    const reference = await emptyCustomer()
    const payer = { ...newVerification().request.payer, reference }
    const outcome = await acquirer.verify(newVerification({ payer }).request)
    expect(outcome.instrument?.payerReference).toBe(reference)
    const attached = tokenOf(outcome.instrument?.id ?? '')
    const again = await acquirer.verify(newVerification({ payer, instrument: attached }).request)
    expect(again).toMatchObject({ kind: 'approved', instrument: { payerReference: reference } })
  })

  test('creates one customer for a payer, also when the name has changed in between', async () => {
    const { payer } = newVerification().request
    const first = await acquirer.verify(newVerification({ payer }).request)
    const second = await acquirer.verify(newVerification({ payer }).request)
    expect(second.instrument?.payerReference).toBe(first.instrument?.payerReference)
    const renamed = { ...payer, name: 'Ada King' }
    expect((await acquirer.verify(newVerification({ payer: renamed }).request)).kind).toBe('approved')
  })

  test('of a payment method of another customer is refused', async () => {
    const method = await sdk.paymentMethods.attach('pm_card_visa', { customer: await emptyCustomer() })
    const payer = { ...newVerification().request.payer, reference: await emptyCustomer() }
    const { request, row } = newVerification({ instrument: tokenOf(method.id), payer })
    expect(await acquirer.verify(request)).toMatchObject({
      kind: 'refused',
      responseCode: 'payment_method_of_another_customer',
    })
    expect(row.reference).toBeNull()
  })

  test('takes over the customer at Stripe of a payer who is new here', async () => {
    const customer = await emptyCustomer()
    const method = await sdk.paymentMethods.attach('pm_card_visa', { customer })
    const outcome = await acquirer.verify(newVerification({ instrument: tokenOf(method.id) }).request)
    expect(outcome).toMatchObject({ kind: 'approved', instrument: { payerReference: customer } })
  })

  test.each([
    ['pm_missing', 'resource_missing'],
    ['tok_visa', 'payment_method_invalid'],
    ['pm_1/../../customers', 'payment_method_invalid'],
  ])('of %s is refused', async (id, responseCode) => {
    const outcome = await acquirer.verify(newVerification({ instrument: tokenOf(id) }).request)
    expect(outcome).toMatchObject({ kind: 'refused', responseCode })
  })

  test.each([
    ['pm_card_visa_chargeDeclined', 'generic_decline', false],
    ['pm_card_chargeDeclinedLostCard', 'lost_card', true],
  ])('of %s is declined', async (id, responseCode, hard) => {
    const outcome = await acquirer.verify(newVerification({ instrument: tokenOf(id) }).request)
    expect(outcome).toMatchObject({ kind: 'declined', responseCode, hard })
  })

  test('that the payer fails is a decline, and its intent is canceled', async () => {
    const { request, row, lookup } = newVerification({
      instrument: tokenOf('pm_card_authenticationRequired'),
    })
    await answerChallenge(await acquirer.verify(request), 'decline')
    expect(await acquirer.inquire(lookup())).toMatchObject({
      kind: 'declined',
      responseCode: 'setup_intent_authentication_failure',
    })
    expect((await sdk.setupIntents.retrieve(row.reference ?? '')).status).toBe('canceled')
  })
})

describe('a stored card', () => {
  test('is read again after its issuer renewed it', async () => {
    const { instrument } = await acquirer.verify(newVerification().request)
    if (instrument === undefined) throw new Error('there is no instrument')
    const renewal = { payment_method: instrument.id, last4: '1111', exp_month: 7, exp_year: 2040 }
    await twin.control('POST', '/_twin/card_update', renewal)
    expect(await acquirer.readInstrument(instrument)).toEqual({
      kind: 'ok',
      value: { ...instrument, last4: '1111', expMonth: 7, expYear: 2040 },
    })
    expect(await acquirer.readInstrument({ ...instrument, id: 'pm_missing' })).toEqual({ kind: 'absent' })
  })
})

describe('a lost answer', () => {
  test.each([
    ['lose_answer', 'approved'],
    ['fail_before', 'absent'],
  ] as const)('to the confirmation: %s', async (fault, expected) => {
    const { request, lookup } = newVerification()
    await twin.setFaults({ [fault]: 1, times: 1, match: CONFIRM })
    expect((await acquirer.verify(request)).kind).toBe('unknown')
    const found = await acquirer.inquire(lookup())
    expect(found.kind).toBe(expected)
    expect('instrument' in found ? found.instrument?.last4 : '4242').toBe('4242')
    const closed = await acquirer.closeKey(lookup())
    expect(closed.kind).toBe(expected)
    if (closed.kind === 'absent') expect(closed.closed).toBe(true)
  })

  test.each([
    '^GET /v1/payment_methods',
    '^POST /v1/customers',
    '^POST /v1/payment_methods/[^/]+/attach',
    '^POST /v1/setup_intents$',
  ])('to %s leaves nothing to inquire', async (match) => {
    const { request, row, lookup } = newVerification()
    await twin.setFaults({ lose_answer: 1, times: 1, match })
    expect((await acquirer.verify(request)).kind).toBe('unknown')
    expect(row.reference).toBeNull()
    expect(await acquirer.closeKey(lookup())).toEqual({ kind: 'absent', closed: true })
  })

  test('is no reason to confirm what another process has taken over', async () => {
    let reference = ''
    const { request } = newVerification({
      commitReference: async (id) => {
        reference = id
        return false
      },
    })
    expect((await acquirer.verify(request)).kind).toBe('unknown')
    expect((await sdk.setupIntents.retrieve(reference)).status).toBe('requires_confirmation')
  })
})

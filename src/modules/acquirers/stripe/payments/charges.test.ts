import { describe, expect, onTestFinished, test } from 'vitest'
import { Money } from '#kernel/money'
import { answerChallenge, connectToTwin } from '../testing/twin.ts'

// Proves reference/acquirers#outcomes.
// Proves reference/acquirers#stripe.
// Proves reference/acquirers#declines.

const { twin, acquirer, connect, sdk, newCharge, moved } = await connectToTwin()

const CONFIRM = '^POST /v1/payment_intents/[^/]+/confirm'
const CANCEL = '^POST /v1/payment_intents/[^/]+/cancel'
const CREATE = '^POST /v1/payment_intents$'
/** Longer than a busy machine takes to close the key of a late charge. */
const LATE_MS = 6_000

describe('a sale', () => {
  test('is a PaymentIntent with our key, order and descriptor', async () => {
    const { request, row } = await newCharge('visa')
    const outcome = await acquirer.sale(request)
    const intent = await sdk.paymentIntents.retrieve(row.reference ?? '', { expand: ['latest_charge'] })
    const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null
    expect(outcome).toEqual({
      kind: 'approved',
      gatewayTransactionId: intent.id,
      rrn: charge?.id,
      authCode: charge?.payment_method_details?.card?.authorization_code,
      batchNumber: '',
      responseCode: 'succeeded',
      responseMessage: charge?.outcome?.seller_message,
    })
    expect(intent).toMatchObject({
      amount: 1200,
      currency: 'usd',
      statement_descriptor_suffix: 'SHOP',
      payment_method_types: ['card'],
      metadata: { quittance_key: request.key, quittance_order: 'O-1' },
    })
    expect(await moved(request.key)).toMatchObject([{ operation: 'sale', amount: '12.00', currency: 'USD' }])
  })

  test.each([
    ['ISK', '500', 50000],
    ['UGX', '500', 50000],
    ['JPY', '500', 500],
    ['MGA', '5.00', 5],
    ['KWD', '5.120', 5120],
  ])('of %s %s is one of %i at Stripe', async (currency, text, amount) => {
    const money = Money.ofDecimal(currency, text)
    const { request, row, lookup } = await newCharge('visa', { amount: money })
    expect((await acquirer.sale(request)).kind).toBe('approved')
    expect((await sdk.paymentIntents.retrieve(row.reference ?? '')).amount).toBe(amount)
    expect((await acquirer.inquire(lookup())).kind).toBe('approved')
  })

  test('of an amount that Stripe cannot express is refused before it is sent', async () => {
    const { request, row } = await newCharge('visa', { amount: Money.ofDecimal('KWD', '1.001') })
    expect(await acquirer.sale(request)).toMatchObject({
      kind: 'refused',
      responseCode: 'amount_not_supported',
    })
    expect(row.reference).toBeNull()
  })

  test('of a raw card or of data from the browser is charged like a stored one', async () => {
    const card = {
      type: 'card',
      number: '4242424242424242',
      expMonth: 12,
      expYear: 2035,
      cvc: '123',
      holderName: 'Ada Lovelace',
    } as const
    const raw = await newCharge('', { instrument: card })
    expect((await acquirer.sale(raw.request)).kind).toBe('approved')
    const made = await sdk.paymentMethods.create({
      type: 'card',
      card: { number: card.number, exp_month: 12, exp_year: 2035, cvc: '123' },
    })
    const component = await newCharge('', { instrument: { type: 'component', data: made.id } })
    expect((await acquirer.sale(component.request)).kind).toBe('approved')
    for (const data of ['', 'tok_visa', 'pm_1/../../refunds', '{}']) {
      const { request } = await newCharge('', { instrument: { type: 'component', data } })
      expect((await acquirer.sale(request)).kind).toBe('refused')
    }
    const wallet = await newCharge('', { instrument: { type: 'wallet_b', autoDebit: false } })
    expect((await acquirer.sale(wallet.request)).kind).toBe('refused')
  })

  test('of a payment method that is not there is refused', async () => {
    const instrument = { type: 'acquirer_token', id: 'pm_missing', payerReference: null } as const
    const { request, row } = await newCharge('', { instrument })
    expect(await acquirer.sale(request)).toMatchObject({ kind: 'refused', responseCode: 'resource_missing' })
    expect(row.reference).toBeNull()
  })

  test('that is processing is pending until Stripe knows more', async () => {
    const { request, lookup } = await newCharge('twinProcessing')
    expect((await acquirer.sale(request)).kind).toBe('pending')
    expect((await acquirer.closeKey(lookup())).kind).toBe('pending')
    await twin.advanceClock(60)
    expect((await acquirer.inquire(lookup())).kind).toBe('approved')
  })
})

describe('a decline', () => {
  test.each([
    ['chargeCustomerFail', 'generic_decline', false, 'card_declined'],
    [
      'authenticationRequiredChargeDeclinedInsufficientFunds',
      'insufficient_funds',
      false,
      'insufficient_funds',
    ],
  ])('of a stored card %s', async (card, responseCode, hard, reason) => {
    const { request, row } = await newCharge(card, { payerPresent: false })
    const outcome = await acquirer.sale(request)
    expect(outcome).toMatchObject({ kind: 'declined', responseCode, hard, reason })
    const intent = await sdk.paymentIntents.retrieve(row.reference ?? '')
    expect(intent.status).toBe('canceled')
    expect(outcome).toMatchObject({ rrn: intent.latest_charge, gatewayTransactionId: intent.id })
  })

  test.each([
    ['4000000000009987', 'lost_card', true],
    ['4000000000009979', 'stolen_card', true],
    ['4100000000000019', 'fraudulent', true],
    ['4000000000000069', 'expired_card', false],
    ['4000000000000127', 'incorrect_cvc', false],
    ['4000000000000119', 'processing_error', false],
    ['4000000000006975', 'card_velocity_exceeded', false],
  ])('of the card %s', async (number, responseCode, hard) => {
    const card = { type: 'card', number, expMonth: 12, expYear: 2035, cvc: '123', holderName: '' } as const
    const { request } = await newCharge('', { instrument: card })
    const outcome = await acquirer.sale(request)
    expect(outcome).toMatchObject({ kind: 'declined', responseCode, hard })
    expect(JSON.stringify(outcome)).not.toContain(number)
    expect(await moved(request.key)).toEqual([])
  })

  test('is unknown until the cancellation is confirmed', async () => {
    const { request, lookup } = await newCharge('chargeCustomerFail')
    await twin.setFaults({ fail_before: 1, match: CANCEL })
    expect((await acquirer.sale(request)).kind).toBe('unknown')
    expect((await acquirer.inquire(lookup())).kind).toBe('unknown')
    await twin.setFaults({})
    expect(await acquirer.inquire(lookup())).toMatchObject({
      kind: 'declined',
      responseCode: 'generic_decline',
    })
  })

  test('whose cancellation was done and its answer lost is a decline', async () => {
    const { request } = await newCharge('chargeCustomerFail')
    await twin.setFaults({ lose_answer: 1, times: 1, match: CANCEL })
    expect((await acquirer.sale(request)).kind).toBe('declined')
  })
})

describe('3-D Secure', () => {
  test('sends the payer to the bank, and the inquiry finds what came of it', async () => {
    const { request, lookup } = await newCharge('authenticationRequired')
    const asked = await acquirer.sale(request)
    expect(asked).toMatchObject({ kind: 'pending', nextAction: { type: 'three_d_secure' } })
    expect(await acquirer.inquire(lookup())).toMatchObject({ kind: 'pending' })
    expect(await answerChallenge(asked, 'approve')).toContain('https://shop.test/back')
    expect((await acquirer.inquire(lookup())).kind).toBe('approved')
    expect(await moved(request.key)).toHaveLength(1)
  })

  test('that the payer fails is a decline, and the intent is canceled', async () => {
    const { request, row, lookup } = await newCharge('authenticationRequired')
    await answerChallenge(await acquirer.sale(request), 'decline')
    expect(await acquirer.inquire(lookup())).toMatchObject({
      kind: 'declined',
      responseCode: 'payment_intent_authentication_failure',
      reason: 'authentication_failed',
    })
    expect((await sdk.paymentIntents.retrieve(row.reference ?? '')).status).toBe('canceled')
  })

  test('while the payer is absent becomes a link', async () => {
    const { request, lookup } = await newCharge('authenticationRequired', { payerPresent: false })
    const asked = await acquirer.sale(request)
    expect(asked).toMatchObject({ kind: 'pending', nextAction: { type: 'three_d_secure' } })
    await answerChallenge(asked, 'approve')
    expect((await acquirer.inquire(lookup())).kind).toBe('approved')
    expect(await moved(request.key)).toHaveLength(1)
  })

  test('without a way back to us is a decline', async () => {
    for (const payerPresent of [true, false]) {
      const { request } = await newCharge('authenticationRequired', { payerPresent })
      const { returnUrl: _, ...withoutUrl } = request
      expect(await acquirer.sale(withoutUrl)).toMatchObject({
        kind: 'declined',
        responseCode: 'authentication_required',
      })
    }
  })

  test('that nobody answered ends with the key', async () => {
    const { request, lookup } = await newCharge('authenticationRequired')
    const asked = await acquirer.sale(request)
    expect(await acquirer.closeKey(lookup())).toEqual({ kind: 'absent', closed: true })
    await answerChallenge(asked, 'approve')
    expect(await acquirer.inquire(lookup())).toEqual({ kind: 'absent', closed: true })
    expect(await moved(request.key)).toEqual([])
  })
})

describe('a lost answer', () => {
  test.each(['fail_before', 'fail_after', 'lose_answer'] as const)('to the creation: %s', async (fault) => {
    const { request, row, lookup } = await newCharge('visa')
    await twin.setFaults({ [fault]: 1, times: 1, match: CREATE })
    expect((await acquirer.sale(request)).kind).toBe('unknown')
    expect(row.reference).toBeNull()
    expect(await acquirer.closeKey(lookup())).toEqual({ kind: 'absent', closed: true })
    expect(await moved(request.key)).toEqual([])
  })

  test.each([
    ['fail_before', 0],
    ['rate_limit', 0],
    ['fail_after', 1],
    ['lose_answer', 1],
  ] as const)('to the confirmation: %s', async (fault, times) => {
    const { request, row, lookup } = await newCharge('visa')
    await twin.setFaults({ [fault]: 1, times: 1, match: CONFIRM })
    expect((await acquirer.sale(request)).kind).toBe('unknown')
    await twin.pruneKeys()
    const found = await acquirer.inquire(lookup())
    expect(found.kind).toBe(times === 1 ? 'approved' : 'absent')
    const closed = await acquirer.closeKey(lookup())
    expect(closed.kind).toBe(times === 1 ? 'approved' : 'absent')
    const late = sdk.paymentIntents.confirm(row.reference ?? '')
    await expect(late).rejects.toThrow('status of')
    expect(await moved(request.key)).toHaveLength(times)
  })

  test('of a Stripe that is slower than our patience', async () => {
    const { request, lookup } = await newCharge('visa')
    const impatient = connect(1_000)
    onTestFinished(() => impatient.disconnect())
    await twin.setFaults({ latency_ms: LATE_MS, match: CONFIRM })
    expect((await impatient.sale(request)).kind).toBe('unknown')
    expect(await acquirer.inquire(lookup())).toEqual({ kind: 'absent', closed: false })
    expect(await acquirer.closeKey(lookup())).toEqual({ kind: 'absent', closed: true })
    await twin.setFaults({})
    await new Promise((resolve) => setTimeout(resolve, LATE_MS))
    expect(await moved(request.key)).toEqual([])
  })

  test('is no reason to confirm what another process has taken over', async () => {
    let reference = ''
    const { request } = await newCharge('visa', {
      commitReference: async (id) => {
        reference = id
        return false
      },
    })
    expect((await acquirer.sale(request)).kind).toBe('unknown')
    expect((await sdk.paymentIntents.retrieve(reference)).status).toBe('requires_confirmation')
  })

  test('is not expected of a creation that was turned away', async () => {
    const { request, row } = await newCharge('visa')
    await twin.setFaults({ rate_limit: 1, times: 1, match: CREATE })
    expect(await acquirer.sale(request)).toMatchObject({ kind: 'refused', responseCode: 'rate_limit' })
    expect(row.reference).toBeNull()
  })
})

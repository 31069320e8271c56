import Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTwin, type TwinProcess } from '../common/twin-process.ts'
import { idOf } from './store.ts'
import { connectSdk, failureOf, listenForNotices } from './testing.ts'

let twin: TwinProcess
let stripe: Stripe

beforeAll(async () => {
  twin = await startTwin('stripe')
  stripe = connectSdk(twin)
})
afterAll(() => twin.stop())

const RETURN_URL = 'https://shop.example/return?order=1'

async function newCustomer(): Promise<string> {
  return (await stripe.customers.create({ name: 'Ann Lee', email: 'ann@example.org' })).id
}

function pay(card: string, params: Partial<Stripe.PaymentIntentCreateParams> = {}) {
  return stripe.paymentIntents.create({
    amount: 2000,
    currency: 'usd',
    payment_method: card,
    confirm: true,
    return_url: RETURN_URL,
    ...params,
  })
}

/** Opens the challenge's page and answers its form, as a browser without a script would. */
async function answerChallenge(url: string | null | undefined, answer: 'approve' | 'decline'): Promise<URL> {
  const page = await (await fetch(url ?? '')).text()
  const [, action = ''] = /action="([^"]+)"/.exec(page) ?? []
  const [, secret = ''] = /name="client_secret" value="([^"]+)"/.exec(page) ?? []
  const reply = await fetch(new URL(action, twin.url), {
    method: 'POST',
    body: new URLSearchParams({ client_secret: secret, answer }),
    redirect: 'manual',
  })
  expect(reply.status).toBe(303)
  return new URL(reply.headers.get('location') ?? '')
}

describe('accounts', () => {
  test('each key has an account of its own, and a publishable key shares that of its secret key', async () => {
    const account = await stripe.accounts.retrieveCurrent()
    const other = await connectSdk(twin, 'sk_test_elsewhere').accounts.retrieveCurrent()
    expect(account.id).toMatch(/^acct_/)
    expect(other.id).not.toBe(account.id)
    const { id } = await pay('pm_card_visa')
    expect((await failureOf(connectSdk(twin, 'sk_test_elsewhere').paymentIntents.retrieve(id))).code).toBe(
      'resource_missing',
    )
    const method = await connectSdk(twin, 'pk_test_shop').paymentMethods.create({
      type: 'card',
      card: { number: '4242424242424242', exp_month: 12, exp_year: 2034, cvc: '123' },
    })
    expect((await stripe.paymentMethods.retrieve(method.id)).card?.last4).toBe('4242')
  })

  test('a refused key answers 401, and a publishable key cannot pay', async () => {
    const refused = await failureOf(connectSdk(twin, 'sk_test_refused').accounts.retrieveCurrent())
    expect(refused).toBeInstanceOf(Stripe.errors.StripeAuthenticationError)
    const forbidden = await failureOf(
      connectSdk(twin, 'pk_test_shop').paymentIntents.create({ amount: 100, currency: 'usd' }),
    )
    expect(forbidden.statusCode).toBe(403)
  })
})

describe('payments', () => {
  test('a payment is created, confirmed by id, and booked once with its fee', async () => {
    const created = await stripe.paymentIntents.create(
      { amount: 2000, currency: 'usd', payment_method: 'pm_card_visa', metadata: { order: '7' } },
      { idempotencyKey: 'two-steps' },
    )
    expect(created.status).toBe('requires_confirmation')
    const confirmed = await stripe.paymentIntents.confirm(created.id, {
      return_url: RETURN_URL,
      expand: ['latest_charge.balance_transaction'],
    })
    const charge = confirmed.latest_charge as Stripe.Charge
    const { fee, net } = charge.balance_transaction as Stripe.BalanceTransaction
    expect([confirmed.status, confirmed.amount_received, confirmed.metadata.order]).toEqual([
      'succeeded',
      2000,
      '7',
    ])
    expect([charge.captured, fee, net]).toEqual([true, 88, 1912])
    const lines = (await twin.books()).filter(({ key }) => key === 'two-steps')
    expect(lines).toMatchObject([
      { operation: 'sale', amount: '20.00', currency: 'USD', outcome: 'approved', reference: created.id },
    ])
    const again = await failureOf(stripe.paymentIntents.confirm(created.id, { return_url: RETURN_URL }))
    expect([again.statusCode, again.code]).toEqual([400, 'payment_intent_unexpected_state'])
  })

  test('an authorization is captured in part, which releases the rest', async () => {
    const intent = await pay('pm_card_visa', { capture_method: 'manual' })
    expect([intent.status, intent.amount_capturable]).toEqual(['requires_capture', 2000])
    const tooMuch = await failureOf(stripe.paymentIntents.capture(intent.id, { amount_to_capture: 2001 }))
    expect(tooMuch.code).toBe('amount_too_large')
    const captured = await stripe.paymentIntents.capture(intent.id, { amount_to_capture: 1500 })
    expect([captured.status, captured.amount_received, captured.amount_capturable]).toEqual([
      'succeeded',
      1500,
      0,
    ])
    expect((await failureOf(stripe.paymentIntents.cancel(intent.id))).code).toBe(
      'payment_intent_unexpected_state',
    )
    const left = await failureOf(stripe.refunds.create({ payment_intent: intent.id, amount: 1501 }))
    expect(left.param).toBe('amount')
  })

  test('a canceled authorization cannot be captured', async () => {
    const intent = await pay('pm_card_visa', { capture_method: 'manual' })
    const canceled = await stripe.paymentIntents.cancel(intent.id, { cancellation_reason: 'abandoned' })
    expect([canceled.status, canceled.cancellation_reason]).toEqual(['canceled', 'abandoned'])
    expect((await failureOf(stripe.paymentIntents.capture(intent.id))).code).toBe(
      'payment_intent_unexpected_state',
    )
    const lines = (await twin.books()).filter(({ reference }) => reference === intent.id)
    expect(lines.map(({ operation }) => operation)).toEqual(['authorization', 'void'])
  })

  test.each([
    ['4000000000000002', 'card_declined', 'generic_decline', 'try_again_later'],
    ['4000000000009995', 'card_declined', 'insufficient_funds', 'try_again_later'],
    ['4000000000009987', 'card_declined', 'lost_card', 'do_not_try_again'],
    ['4000000000000069', 'expired_card', 'expired_card', 'confirm_card_data'],
    ['4000000000000127', 'incorrect_cvc', 'incorrect_cvc', 'confirm_card_data'],
    ['4000000000000119', 'processing_error', 'processing_error', 'try_again_later'],
  ])('card %s is declined with %s, %s', async (number, code, declineCode, adviceCode) => {
    const card = { number, exp_month: 12, exp_year: 2034, cvc: '123' }
    const { id } = await stripe.paymentMethods.create({ type: 'card', card })
    const error = await failureOf(pay(id))
    expect(error).toBeInstanceOf(Stripe.errors.StripeCardError)
    expect([error.statusCode, error.code, error.decline_code]).toEqual([402, code, declineCode])
    expect((error.raw as Record<string, unknown>).advice_code).toBe(adviceCode)
    const intent = await stripe.paymentIntents.retrieve(error.payment_intent?.id ?? '')
    expect([intent.status, intent.payment_method, intent.last_payment_error?.code]).toEqual([
      'requires_payment_method',
      null,
      code,
    ])
  })

  test('a declined intent can be confirmed again until it is canceled', async () => {
    const error = await failureOf(pay('pm_card_chargeDeclined'))
    const id = error.payment_intent?.id ?? ''
    const second = await failureOf(
      stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_chargeDeclined', return_url: RETURN_URL }),
    )
    expect(second.code).toBe('card_declined')
    expect((await stripe.paymentIntents.cancel(id)).status).toBe('canceled')
    const late = await failureOf(
      stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa', return_url: RETURN_URL }),
    )
    expect(late.code).toBe('payment_intent_unexpected_state')
    expect(
      (await twin.books()).filter((line) => line.reference === id && line.outcome === 'approved'),
    ).toEqual([])
  })

  test.each([
    ['jpy', 500, '500'],
    ['usd', 500, '5.00'],
    ['kwd', 5000, '5.000'],
  ])('amounts in %s have the decimals that Stripe gives them', async (currency, amount, decimal) => {
    const intent = await pay('pm_card_visa', { currency, amount })
    const line = (await twin.books()).find(({ reference }) => reference === intent.id)
    expect(line?.amount).toBe(decimal)
  })

  test.each([
    [{ amount: 0 }, 'parameter_invalid_integer'],
    [{ amount: 49 }, 'amount_too_small'],
    [{ amount: 100_000_000 }, 'amount_too_large'],
    [{ amount: 5001, currency: 'kwd' }, 'parameter_invalid_integer'],
    [{ payment_method: 'pm_card_unheard_of' }, 'resource_missing'],
    [{ colour: 'red' }, 'parameter_unknown'],
  ])('parameters %j are refused with %s', async (params, code) => {
    expect(
      (await failureOf(pay('pm_card_visa', params as Partial<Stripe.PaymentIntentCreateParams>))).code,
    ).toBe(code)
  })

  test('parameters of the confirmation need confirm=true, and redirects need a return_url', async () => {
    const early = { amount: 500, currency: 'usd', return_url: RETURN_URL }
    expect((await failureOf(stripe.paymentIntents.create(early))).param).toBe('return_url')
    const { id } = await stripe.paymentIntents.create({
      amount: 500,
      currency: 'usd',
      payment_method: 'pm_card_visa',
    })
    expect((await failureOf(stripe.paymentIntents.confirm(id))).param).toBe('return_url')
  })

  test('a slow payment is processing until the twin settles it', async () => {
    const good = await pay('pm_card_twinProcessing')
    const bad = await pay('pm_card_twinProcessingFails')
    expect([good.status, bad.status]).toEqual(['processing', 'processing'])
    await twin.advanceClock(10)
    expect((await stripe.paymentIntents.retrieve(good.id)).status).toBe('succeeded')
    expect((await stripe.paymentIntents.retrieve(bad.id)).status).toBe('requires_payment_method')
  })
})

describe('3-D Secure', () => {
  test.each([
    ['approve', 'pm_card_threeDSecure2Required', 'succeeded', undefined],
    [
      'decline',
      'pm_card_threeDSecure2Required',
      'requires_payment_method',
      'payment_intent_authentication_failure',
    ],
    ['approve', 'pm_card_threeDSecureRequiredChargeDeclined', 'requires_payment_method', 'card_declined'],
  ] as const)('the payer can %s on a page for %s', async (answer, card, status, code) => {
    const intent = await pay(card)
    expect([intent.status, intent.next_action?.type]).toEqual(['requires_action', 'redirect_to_url'])
    const back = await answerChallenge(intent.next_action?.redirect_to_url?.url, answer)
    expect(back.origin + back.pathname).toBe('https://shop.example/return')
    expect([back.searchParams.get('order'), back.searchParams.get('payment_intent')]).toEqual([
      '1',
      intent.id,
    ])
    const after = await stripe.paymentIntents.retrieve(intent.id)
    expect([after.status, after.last_payment_error?.code]).toEqual([status, code])
  })

  test('without the payer the bank asks for authentication, and the same intent can be confirmed with the payer', async () => {
    const customer = await newCustomer()
    const { id } = await stripe.paymentMethods.attach('pm_card_authenticationRequired', { customer })
    const error = await failureOf(pay(id, { customer, off_session: true }))
    expect([error.statusCode, error.code, error.decline_code]).toEqual([
      402,
      'authentication_required',
      'authentication_required',
    ])
    const again = await stripe.paymentIntents.confirm(error.payment_intent?.id ?? '', {
      payment_method: id,
      return_url: RETURN_URL,
    })
    expect(again.status).toBe('requires_action')
    await answerChallenge(again.next_action?.redirect_to_url?.url, 'approve')
    expect((await stripe.paymentIntents.retrieve(again.id)).status).toBe('succeeded')
  })

  test('a card that was set up pays without the payer', async () => {
    const customer = await newCustomer()
    const setup = await stripe.setupIntents.create({
      customer,
      payment_method: 'pm_card_authenticationRequiredOnSetup',
      confirm: true,
      return_url: RETURN_URL,
    })
    expect(setup.status).toBe('requires_action')
    const back = await answerChallenge(setup.next_action?.redirect_to_url?.url, 'approve')
    expect(back.searchParams.get('setup_intent')).toBe(setup.id)
    const { status, payment_method: method } = await stripe.setupIntents.retrieve(setup.id)
    expect(status).toBe('succeeded')
    const intent = await pay(idOf(method) ?? '', { customer, off_session: true })
    expect(intent.status).toBe('succeeded')
  })
})

describe('payment methods', () => {
  test('a method is attached, listed, detached, and not used again', async () => {
    const customer = await newCustomer()
    const { id } = await stripe.paymentMethods.attach('pm_card_mastercard', { customer })
    const { data } = await stripe.paymentMethods.list({ customer, type: 'card' })
    expect(data.map((method) => [method.id, method.card?.brand])).toEqual([[id, 'mastercard']])
    expect((await failureOf(pay(id))).param).toBe('payment_method')
    expect((await stripe.paymentMethods.detach(id)).customer).toBeNull()
    expect((await failureOf(pay(id))).statusCode).toBe(400)
    expect((await stripe.customers.listPaymentMethods(customer)).data).toEqual([])
  })

  test('without a customer a method serves one payment', async () => {
    const card = { number: '4242424242424242', exp_month: 12, exp_year: 2034 }
    const { id } = await stripe.paymentMethods.create({ type: 'card', card })
    expect((await pay(id)).status).toBe('succeeded')
    expect((await failureOf(pay(id))).type).toBe('StripeInvalidRequestError')
  })

  test('a declined setup names the reason', async () => {
    const error = await failureOf(
      stripe.setupIntents.create({
        payment_method: 'pm_card_chargeDeclined',
        confirm: true,
        return_url: RETURN_URL,
      }),
    )
    expect([error.statusCode, error.code, error.setup_intent?.status]).toEqual([
      402,
      'card_declined',
      'requires_payment_method',
    ])
    const { id } = await stripe.setupIntents.create({ usage: 'off_session' })
    expect((await stripe.setupIntents.cancel(id)).status).toBe('canceled')
  })

  test('numbers that are no test cards are refused', async () => {
    const create = (number: string) =>
      failureOf(
        stripe.paymentMethods.create({ type: 'card', card: { number, exp_month: 12, exp_year: 2034 } }),
      )
    expect((await create('4242424242424241')).code).toBe('incorrect_number')
    expect((await create('4539578763621486')).decline_code).toBe('test_mode_live_card')
  })
})

describe('refunds', () => {
  test('refunds add up to the payment and no further', async () => {
    const { id } = await pay('pm_card_visa')
    const first = await stripe.refunds.create({
      payment_intent: id,
      amount: 500,
      metadata: { quittance_key: 'r1' },
    })
    expect(first.status).toBe('succeeded')
    expect((await failureOf(stripe.refunds.create({ payment_intent: id, amount: 1501 }))).param).toBe(
      'amount',
    )
    await stripe.refunds.create({ payment_intent: id })
    expect((await failureOf(stripe.refunds.create({ payment_intent: id }))).code).toBe(
      'charge_already_refunded',
    )
    const { data } = await stripe.refunds.list({ payment_intent: id })
    expect(data.map(({ amount, metadata }) => [amount, metadata?.quittance_key])).toEqual([
      [1500, undefined],
      [500, 'r1'],
    ])
    expect((await twin.books()).find(({ key }) => key === 'r1')).toMatchObject({
      operation: 'refund',
      amount: '5.00',
    })
  })

  test.each([
    ['pm_card_pendingRefund', 'pending', 'succeeded'],
    ['pm_card_refundFail', 'succeeded', 'failed'],
  ])('a refund to %s is first %s, then %s', async (card, first, then) => {
    const { id } = await pay(card)
    const refund = await stripe.refunds.create({ payment_intent: id })
    expect(refund.status).toBe(first)
    await twin.advanceClock(10)
    expect((await stripe.refunds.retrieve(refund.id)).status).toBe(then)
  })
})

describe('disputes', () => {
  async function openDispute(card: string): Promise<Stripe.Dispute> {
    const intent = await pay(card)
    const { data } = await stripe.disputes.list({ payment_intent: intent.id })
    if (data[0] === undefined) throw new Error('no dispute')
    return data[0]
  }

  test('evidence is staged, then submitted once, and a won dispute gives the money back', async () => {
    const { id, status, balance_transactions: lines } = await openDispute('pm_card_createDispute')
    expect([status, lines[0]?.net]).toEqual(['needs_response', -3500])
    const file = await stripe.files.create({
      purpose: 'dispute_evidence',
      file: { data: Buffer.from('%PDF-1.4 receipt'), name: 'receipt.pdf', type: 'application/pdf' },
    })
    expect([file.type, file.filename]).toEqual(['pdf', 'receipt.pdf'])
    const staged = await stripe.disputes.update(id, { evidence: { receipt: file.id }, submit: false })
    expect([staged.status, staged.evidence_details.has_evidence]).toEqual(['needs_response', true])
    const won = await stripe.disputes.update(id, { evidence: { uncategorized_text: 'winning_evidence' } })
    expect([won.status, won.evidence.receipt, won.evidence_details.submission_count]).toEqual([
      'won',
      file.id,
      1,
    ])
    expect(won.balance_transactions.map(({ net }) => net)).toEqual([-3500, 3500])
    expect((await failureOf(stripe.disputes.update(id, { evidence: { receipt: file.id } }))).statusCode).toBe(
      400,
    )
  })

  test.each([
    ['losing_evidence', 'lost'],
    ['We sent it.', 'under_review'],
  ])('evidence %j makes a dispute %s', async (text, status) => {
    const { id } = await openDispute('pm_card_createDisputeProductNotReceived')
    expect((await stripe.disputes.update(id, { evidence: { uncategorized_text: text } })).status).toBe(status)
  })

  test('an inquiry moves no money, and evidence must be a file that exists', async () => {
    const { id, status, balance_transactions: lines } = await openDispute('pm_card_createDisputeInquiry')
    expect([status, lines]).toEqual(['warning_needs_response', []])
    const error = await failureOf(
      stripe.disputes.update(id, { evidence: { receipt: 'file_none' }, submit: false }),
    )
    expect(error.code).toBe('resource_missing')
    expect((await stripe.disputes.close(id)).status).toBe('warning_closed')
  })
})

describe('lists and payouts', () => {
  test('pages follow each other without gap or repetition', async () => {
    const shop = connectSdk(twin, 'sk_test_pages')
    const made: string[] = []
    for (let n = 0; n < 25; n++) {
      made.push((await shop.paymentIntents.create({ amount: 100 + n, currency: 'usd' })).id)
    }
    const listed = await Array.fromAsync(shop.paymentIntents.list({ limit: 10 }), ({ id }) => id)
    expect(listed).toEqual(made.toReversed())
    const before = await shop.paymentIntents.list({ limit: 2, ending_before: made[20] ?? '' })
    expect([before.data.map(({ id }) => id), before.has_more]).toEqual([[made[22], made[21]], true])
    expect((await failureOf(shop.paymentIntents.list({ limit: 101 }))).param).toBe('limit')
  })

  test('lists are limited by the time of creation', async () => {
    const shop = connectSdk(twin, 'sk_test_times')
    await shop.paymentIntents.create({ amount: 100, currency: 'usd' })
    await twin.advanceClock(1000)
    const { created } = await shop.paymentIntents.create({ amount: 200, currency: 'usd' })
    const amounts = async (range: Stripe.RangeQueryParam) =>
      (await shop.paymentIntents.list({ created: range })).data.map(({ amount }) => amount)
    expect(await amounts({ gte: created })).toEqual([200])
    expect(await amounts({ lt: created })).toEqual([100])
  })

  test('a payout pays every line once and lists them', async () => {
    const shop = connectSdk(twin, 'sk_test_payouts')
    const params = { currency: 'eur', payment_method: 'pm_card_visa', confirm: true, return_url: RETURN_URL }
    const intent = await shop.paymentIntents.create({ ...params, amount: 10_000 })
    await shop.refunds.create({ payment_intent: intent.id, amount: 1000 })
    await twin.control('POST', '/_twin/payout', {})
    await twin.control('POST', '/_twin/payout', {})
    const { data } = await shop.payouts.list()
    expect(data.map(({ amount, currency, status }) => [amount, currency, status])).toEqual([
      [8680, 'eur', 'paid'],
    ])
    const lines = await shop.balanceTransactions.list({ payout: data[0]?.id ?? '' })
    expect(lines.data.map(({ type, amount, fee }) => [type, amount, fee])).toEqual([
      ['payout', -8680, 0],
      ['refund', -1000, 0],
      ['charge', 10_000, 320],
    ])
  })
})

describe('webhooks', () => {
  test('notices are signed as the SDK checks it, repeated as asked, and sent again after a failure', async () => {
    const secret = 'whsec_test'
    let failures = 2
    const endpoint = await listenForNotices(() => (failures-- > 0 ? 500 : 200))
    const shop = connectSdk(twin, 'sk_test_notices')
    const { id: account } = await shop.accounts.retrieveCurrent()
    await twin.setNotices({ account, url: endpoint.url, secret, repeat: 1, shuffle: true, delay_ms: 20 })
    const { id } = await shop.paymentMethods.create({ type: 'card', card: { token: 'tok_visa' } })
    const customer = (await shop.customers.create({})).id
    await shop.paymentMethods.attach(id, { customer })
    await twin.control('POST', '/_twin/card_update', { payment_method: id, last4: '1881' })
    const events = async (): Promise<Stripe.Event[]> =>
      Promise.all(
        endpoint.received.map(({ body, signature }) =>
          stripe.webhooks.constructEventAsync(body, signature, secret),
        ),
      )
    await vi.waitFor(() => expect(endpoint.received).toHaveLength(6), { timeout: 60_000 })
    const counts = Map.groupBy(await events(), ({ type }) => type)
    const lengths = Object.fromEntries([...counts].map(([type, { length }]) => [type, length]))
    expect(lengths).toEqual({
      'customer.created': 2,
      'payment_method.attached': 2,
      'payment_method.automatically_updated': 2,
    })
    const [first] = endpoint.received
    await expect(
      stripe.webhooks.constructEventAsync(first?.body ?? '', first?.signature ?? '', 'whsec_other'),
    ).rejects.toThrow(Stripe.errors.StripeSignatureVerificationError)
    const listed = await shop.events.list({ type: 'payment_method.automatically_updated' })
    expect(listed.data.map(({ data }) => (data.object as Stripe.PaymentMethod).card?.last4)).toEqual(['1881'])
    endpoint.close()
  })
})

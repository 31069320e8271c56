import { Airwallex, ApiError } from '@airwallex/node-sdk'
import { afterAll, describe, expect, test } from 'vitest'
import { startTwin } from '../common/twin-process.ts'

const twin = await startTwin('airwallex')
afterAll(() => twin.stop())

/**
 * Airwallex's own library as a witness of the twin: its types are those of the members, and its calls name the paths. It goes to the
 * twin in place of Airwallex, and sends no telemetry.
 */
class AtTwin extends Airwallex {
  override get basePath(): string {
    return twin.url
  }
}

const airwallex = new AtTwin({
  clientId: 'sdk',
  apiKey: 'key',
  env: 'demo',
  enableTelemetry: false,
  // It sends its options in place of the body when it repeats a POST.
  retry: 0,
})
const {
  config,
  customers,
  paymentAttempts,
  paymentConsents,
  paymentDisputes,
  paymentIntents,
  refunds,
  settlementRecords,
} = airwallex.paymentAcceptance
const shopper = airwallex.simulation.paymentAcceptance

const id = () => crypto.randomUUID()
const CARD = {
  type: 'card',
  card: { number: '4035501000000008', expiry_month: '12', expiry_year: '2030', cvc: '123' },
}
const RETURN = 'https://shop.example/back'

const newIntent = (members: object = {}) =>
  paymentIntents.createPaymentIntent({
    request_id: id(),
    amount: 100.01,
    currency: 'HKD',
    merchant_order_id: id(),
    ...members,
  })

async function paid(members: object = {}) {
  const created = await newIntent(members)
  return paymentIntents.confirmPaymentIntent(created.id ?? '', { request_id: id(), payment_method: CARD })
}

async function failureOf(promise: Promise<unknown>): Promise<ApiError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof ApiError)) throw new Error('nothing was refused')
  return error
}

const codeOf = async (promise: Promise<unknown>) => {
  const { status, data } = await failureOf(promise)
  return [status, (data as { code?: string }).code]
}

describe('payments', () => {
  test('an intent is created, confirmed, read, listed and refunded in part', async () => {
    const order = id()
    const done = await paid({ merchant_order_id: order, metadata: { order: '7' } })
    expect(done).toMatchObject({
      status: 'SUCCEEDED',
      amount: 100.01,
      captured_amount: 100.01,
      currency: 'HKD',
    })
    const read = await paymentIntents.retrievePaymentIntent(done.id ?? '')
    expect(read).toMatchObject({
      client_secret: expect.any(String),
      latest_payment_attempt: { payment_method: { type: 'card', card: { brand: 'visa', last4: '0008' } } },
    })
    const listed = await paymentIntents.listPaymentIntents({
      merchant_order_id: order,
      page_num: 0,
      page_size: 10,
    })
    expect(listed).toMatchObject({ has_more: false, items: [{ id: done.id }] })
    const attempts = await paymentAttempts.listPaymentAttempts({ payment_intent_id: done.id ?? '' })
    expect(attempts.items).toMatchObject([{ status: 'CAPTURE_REQUESTED' }])
    const refund = await refunds.createRefund({
      request_id: id(),
      payment_intent_id: done.id ?? '',
      amount: 10,
    })
    expect(refund).toMatchObject({ status: 'RECEIVED', amount: 10, payment_intent_id: done.id })
    const found = await refunds.listRefunds({ payment_intent_id: done.id ?? '' })
    expect(found.items?.map((one) => one.id)).toEqual([refund.id])
    expect((await refunds.retrieveRefund(refund.id ?? '')).id).toBe(refund.id)
  })

  test('an authorization is captured in part, or canceled', async () => {
    const hold = async () => {
      const { id: intent = '' } = await newIntent()
      const options = { card: { auto_capture: false } }
      const body = { request_id: id(), payment_method: CARD, payment_method_options: options }
      return paymentIntents.confirmPaymentIntent(intent, body)
    }
    const first = await hold()
    expect(first.status).toBe('REQUIRES_CAPTURE')
    const captured = await paymentIntents.capturePaymentIntent(first.id ?? '', {
      request_id: id(),
      amount: 60,
    })
    expect(captured).toMatchObject({ status: 'SUCCEEDED', captured_amount: 60 })
    const second = await hold()
    const canceled = await paymentIntents.cancelPaymentIntent(second.id ?? '', { request_id: id() })
    expect(canceled).toMatchObject({ status: 'CANCELLED', captured_amount: 0 })
  })

  test.each(['wechatpay', 'alipayhk', 'fps'] as const)(
    'a code of %s is paid by the simulated shopper',
    async (type) => {
      const { id: intent = '' } = await newIntent()
      const asked = await paymentIntents.confirmPaymentIntent(intent, {
        request_id: id(),
        payment_method: { type, [type]: { flow: type === 'fps' ? 'webqr' : 'qrcode' } },
      })
      expect(asked).toMatchObject({
        status: 'REQUIRES_CUSTOMER_ACTION',
        next_action: { type: 'render_qrcode' },
      })
      await shopper.simulateShopperAction('pay', {
        url: asked.next_action?.url ?? asked.next_action?.qrcode ?? '',
      })
      expect((await paymentIntents.retrievePaymentIntent(intent)).status).toBe('SUCCEEDED')
    },
  )

  test('errors are those of the documents', async () => {
    const { id: intent = '' } = await newIntent()
    const declined = { ...CARD, card: { ...CARD.card, number: '4000000000009995' } }
    const confirm = (body: object) =>
      paymentIntents.confirmPaymentIntent(intent, { request_id: id(), ...body })
    const refusal = await failureOf(confirm({ payment_method: declined }))
    expect(refusal).toMatchObject({
      status: 400,
      data: { code: 'issuer_declined', details: { original_response_code: '51' } },
    })
    expect(await codeOf(confirm({ payment_method: { type: 'card', card: {} } }))).toEqual([
      400,
      'validation_error',
    ])
    expect(await codeOf(paymentIntents.retrievePaymentIntent('int_none'))).toEqual([
      404,
      'resource_not_found',
    ])
    expect(await codeOf(paymentIntents.capturePaymentIntent(intent, { request_id: id() }))).toEqual([
      400,
      'invalid_status_for_operation',
    ])
    const request_id = id()
    const body = { request_id, amount: 1, currency: 'HKD', merchant_order_id: id() }
    await paymentIntents.createPaymentIntent(body)
    expect(await codeOf(paymentIntents.createPaymentIntent(body))).toEqual([400, 'duplicate_request'])
  })
})

describe('customers and consents', () => {
  test('a customer agrees once, is charged without being present, and the consent is disabled', async () => {
    const merchant_customer_id = id()
    const customer = await customers.createCustomer({ request_id: id(), merchant_customer_id })
    expect(await codeOf(customers.createCustomer({ request_id: id(), merchant_customer_id }))).toEqual([
      400,
      'resource_already_exists',
    ])
    const found = await customers.listCustomers({ merchant_customer_id })
    expect(found.items?.map((one) => one.id)).toEqual([customer.id])
    expect((await customers.retrieveCustomer(customer.id ?? '')).merchant_customer_id).toBe(
      merchant_customer_id,
    )
    const consent = await paymentConsents.createPaymentConsent({
      request_id: id(),
      customer_id: customer.id ?? '',
      next_triggered_by: 'merchant',
      merchant_trigger_reason: 'unscheduled',
    })
    const asked = await paymentConsents.verifyPaymentConsent(consent.id, {
      request_id: id(),
      payment_method: { type: 'alipayhk', alipayhk: { flow: 'qrcode' } },
      return_url: RETURN,
    })
    expect(asked).toMatchObject({ status: 'REQUIRES_CUSTOMER_ACTION', next_action: { type: 'redirect' } })
    await shopper.simulateShopperAction('verify', { url: asked.next_action?.url ?? '' })
    expect(await paymentConsents.retrievePaymentConsent(consent.id)).toMatchObject({
      status: 'VERIFIED',
      payment_method: { type: 'alipayhk', alipayhk: { user_id: expect.any(String) } },
    })
    const { id: intent = '' } = await newIntent({ customer_id: customer.id })
    const charged = await paymentIntents.confirmPaymentIntent(intent, {
      request_id: id(),
      payment_consent_id: consent.id,
    })
    expect(charged).toMatchObject({ status: 'SUCCEEDED', payment_consent_id: consent.id })
    const disabled = await paymentConsents.disablePaymentConsent(consent.id, { request_id: id() })
    expect(disabled).toMatchObject({ status: 'DISABLED', disable_reason: expect.any(String) })
    const listed = await paymentConsents.listPaymentConsent({ customer_id: customer.id ?? '' })
    expect(listed.items?.map((one) => one.id)).toEqual([consent.id])
  })
})

test('the methods of the account, and a domain for Apple Pay', async () => {
  const opened = await config.queryPaymentMethodTypes({ active: true, transaction_mode: 'recurring' })
  expect(opened.items).toContainEqual(
    expect.objectContaining({ name: 'alipayhk', transaction_mode: 'recurring', active: true }),
  )
  const domains = await config.registerApplePayDomains({ items: ['pay.example'] })
  expect(domains.items).toEqual(['pay.example'])
})

test('a dispute is listed and challenged with a file', async () => {
  const { id: intent = '' } = await paid()
  const opened = await shopper.createDispute({
    payment_intent_id: intent,
    stage: 'CHARGEBACK',
    amount: 100.01,
  } as never)
  const listed = await paymentDisputes.getDisputes({
    status: 'REQUIRES_RESPONSE',
    page: '0',
    size: 50,
  })
  expect(listed.items?.map((one) => one.id)).toContain(opened.id)
  const challenge = { request_id: id(), product_type: 'PHYSICAL_GOODS', reason: 'PRODUCT_RECEIVED' } as const
  expect(await codeOf(paymentDisputes.challengeDispute(opened.id ?? '', challenge))).toEqual([
    400,
    'validation_error',
  ])
  const form = new FormData()
  form.append('file', new Blob(['%PDF']), 'receipt.pdf')
  const uploaded = await fetch(`${twin.url}/api/v1/files/upload`, {
    method: 'POST',
    headers: { authorization: airwallex.token ?? '' },
    body: form,
  })
  const { file_id } = (await uploaded.json()) as { file_id: string }
  const documents = [{ type: 'PRIMARY', file_ids: [file_id] }]
  const done = await paymentDisputes.challengeDispute(opened.id ?? '', {
    ...challenge,
    request_id: id(),
    supporting_documents: { documents },
  })
  expect(done.status).toBe('CHALLENGED')
  expect((await paymentDisputes.getDispute(opened.id ?? '')).status).toBe('CHALLENGED')
})

test('a settled batch and its records', async () => {
  await paid()
  await twin.control('POST', '/_twin/settle')
  const day = (hours: number) =>
    new Date(Date.now() + hours * 3_600_000).toISOString().replace(/\.\d+Z$/, '+0000') as unknown as Date
  const batches = await airwallex.finance.settlement.getFinancialSettlements({
    currency: 'HKD',
    status: 'SETTLED',
    from_settled_at: day(-1),
    to_settled_at: day(1),
  } as never)
  const [batch] = batches.items ?? []
  expect(batch).toMatchObject({ id: expect.stringMatching(/^bat_\d{8}_HKD_\d+$/), status: 'SETTLED' })
  const records = await settlementRecords.listSettlementRecords({
    settlement_id: batch?.id ?? '',
    page_size: 50,
  })
  expect(records.items?.[0]).toMatchObject({
    transaction_type: expect.any(String),
    net_amount: expect.any(Number),
  })
})

test('all of this took one login', async () => {
  expect(JSON.parse(await twin.control('GET', '/_twin/logins'))).toEqual({ logins: 1 })
})

import { afterAll, describe, expect, test } from 'vitest'
import { Money } from '#kernel/money'
import type { ChargeRequest, Lookup } from '../../port/port.ts'
import {
  type HttpReply,
  card,
  chargeRequest,
  CONSENT,
  followUp,
  fps,
  intent,
  INTENT,
  INTENTS,
  lookup,
  paid,
  REFUNDS,
  startDouble,
  wallet,
} from '../testing/double.ts'

// Proves reference/acquirers#airwallex, reference/acquirers#outcomes.
const double = await startDouble()
const acquirer = double.connect()
afterAll(() => acquirer.disconnect())

const created = { [`POST ${INTENTS}/create`]: [201, intent('REQUIRES_PAYMENT_METHOD')[1]] as HttpReply }
const canceled = { [`POST ${INTENT}/cancel`]: intent('CANCELLED') }
const attempt = (status: string, more: object = {}) => ({
  latest_payment_attempt: { id: 'att_1', status, ...more },
})
const ofWallet = { payment_method: { type: 'alipayhk' } }
const error = (code: string, more: object = {}): HttpReply => [
  400,
  { code, message: 'It was refused.', ...more },
]

function confirmed(
  answer: HttpReply | readonly HttpReply[],
  read: HttpReply = intent('REQUIRES_PAYMENT_METHOD'),
) {
  return { ...created, ...canceled, [`POST ${INTENT}/confirm`]: answer, [`GET ${INTENT}`]: read }
}

async function sale(options: Partial<ChargeRequest>, scripts: Parameters<typeof double.answer>[0]) {
  double.answer(scripts)
  return acquirer.sale(chargeRequest(options))
}

async function inquiry(read: HttpReply, options: Partial<Lookup> = {}) {
  double.answer({ [`GET ${INTENT}`]: read, ...canceled })
  return acquirer.inquire(lookup(options))
}

describe('states', () => {
  test.each<[string, HttpReply, object, object?]>([
    ['no attempt', intent('REQUIRES_PAYMENT_METHOD'), { kind: 'absent', closed: false }],
    [
      'a failed attempt',
      intent('REQUIRES_PAYMENT_METHOD', attempt('FAILED', { provider_original_response_code: '51' })),
      { kind: 'declined', hard: false, reason: 'insufficient_funds', responseCode: '51' },
    ],
    [
      'an attempt that failed because of 3-D Secure',
      intent('REQUIRES_PAYMENT_METHOD', attempt('FAILED', { failure_code: 'authentication_failed' })),
      { kind: 'declined', hard: false, reason: 'authentication_failed' },
    ],
    [
      'an attempt that failed for its risk',
      intent('REQUIRES_PAYMENT_METHOD', attempt('FAILED', { failure_code: 'fraud_rejected' })),
      { kind: 'declined', hard: true, reason: 'card_declined' },
    ],
    [
      'a failed attempt of a wallet',
      intent(
        'REQUIRES_PAYMENT_METHOD',
        attempt('FAILED', { ...ofWallet, provider_original_response_code: 'X1' }),
      ),
      { kind: 'declined', hard: false, reason: 'payer_declined', responseCode: 'X1' },
    ],
    [
      'a canceled attempt of FPS',
      intent('REQUIRES_PAYMENT_METHOD', attempt('CANCELLED', { payment_method: { type: 'fps' } })),
      { kind: 'declined', hard: false, reason: 'payer_declined' },
    ],
    [
      'an expired attempt',
      intent('REQUIRES_PAYMENT_METHOD', attempt('EXPIRED', ofWallet)),
      { kind: 'declined', hard: false, reason: 'expired', responseCode: 'expired' },
    ],
    ['a payer who is asked', intent('REQUIRES_CUSTOMER_ACTION'), { kind: 'pending' }],
    ['a provider that decides', intent('PENDING'), { kind: 'pending' }],
    ['a review', intent('PENDING_REVIEW'), { kind: 'pending' }],
    ['an unknown word', intent('REQUIRES_A_NEW_THING'), { kind: 'pending' }],
    ['a success', paid(), { kind: 'approved' }],
    ['a cancellation', intent('CANCELLED', attempt('CANCELLED', ofWallet)), { kind: 'absent', closed: true }],
    [
      'a capture that failed later',
      paid({ captured_amount: 0, ...attempt('CAPTURE_FAILED') }),
      { kind: 'declined', hard: false },
    ],
  ])('%s', async (_, read, outcome) => {
    expect(await inquiry(read)).toMatchObject(outcome)
  })

  test('what a payer refused in an app is theirs, even if the attempt names no method', async () => {
    const failed = intent('REQUIRES_PAYMENT_METHOD', attempt('FAILED'))
    for (const type of ['wallet_confirmation', 'bank_confirmation'])
      expect(await inquiry(failed, { nextAction: { type, url: '' } })).toMatchObject({
        reason: 'payer_declined',
      })
    const expired = intent('REQUIRES_PAYMENT_METHOD', attempt('EXPIRED'))
    const nextAction = { type: 'wallet_confirmation', url: '' }
    expect(await inquiry(expired, { nextAction })).toMatchObject({ reason: 'expired' })
    const asks = intent('REQUIRES_CUSTOMER_ACTION', {
      metadata: { quittance_method: 'fps' },
      next_action: { type: 'render_qrcode', qrcode: '000201' },
    })
    expect(await inquiry(asks)).toMatchObject({ nextAction: { type: 'bank_confirmation', qrCode: '000201' } })
  })

  test('an authorization is approved while it is held, and is never captured by an inquiry', async () => {
    const held = intent('REQUIRES_CAPTURE', attempt('AUTHORIZED', { provider_original_response_code: '00' }))
    expect(await inquiry(held, { kind: 'authorization' })).toMatchObject({
      kind: 'approved',
      responseCode: '00',
    })
    expect(double.targets()).toEqual([`GET ${INTENT}`])
  })

  test('a decline counts once the intent is canceled, and not before', async () => {
    const declinedRead = intent('REQUIRES_PAYMENT_METHOD', attempt('FAILED'))
    double.answer({ [`GET ${INTENT}`]: declinedRead, [`POST ${INTENT}/cancel`]: [500, {}] })
    expect((await acquirer.inquire(lookup())).kind).toBe('unknown')
    double.answer({
      [`GET ${INTENT}`]: [declinedRead, paid()],
      [`POST ${INTENT}/cancel`]: error('invalid_status_for_operation'),
    })
    expect((await acquirer.inquire(lookup())).kind).toBe('approved')
  })

  test('a payer who pays while we cancel has paid', async () => {
    double.answer({
      [`GET ${INTENT}`]: [intent('REQUIRES_CUSTOMER_ACTION'), paid()],
      [`POST ${INTENT}/cancel`]: error('invalid_status_for_operation'),
    })
    expect((await acquirer.closeKey(lookup())).kind).toBe('approved')
    double.answer({
      [`GET ${INTENT}`]: [intent('REQUIRES_CUSTOMER_ACTION'), intent('PENDING')],
      [`POST ${INTENT}/cancel`]: error('invalid_status_for_operation'),
    })
    expect((await acquirer.closeKey(lookup())).kind).toBe('pending')
  })

  test.each<[string, HttpReply, HttpReply, string[]]>([
    ['once failed', [500, {}], intent('CANCELLED'), ['int_1:cancel', 'int_1:cancel']],
    ['whose failure is kept', [500, {}], [500, {}], ['int_1:cancel', 'int_1:cancel', 'a new one']],
    [
      'that the provider did not take',
      error('provider_unavailable'),
      error('duplicate_request'),
      ['int_1:cancel', 'int_1:cancel', 'a new one'],
    ],
    ['that was seen', error('duplicate_request'), intent('CANCELLED'), ['int_1:cancel', 'a new one']],
    ['in the way of a limit', [429, {}], intent('CANCELLED'), ['int_1:cancel']],
  ])('a cancellation %s is sent again while the intent is open', async (_, first, second, sent) => {
    double.answer({
      [`GET ${INTENT}`]: intent('REQUIRES_CUSTOMER_ACTION'),
      [`POST ${INTENT}/cancel`]: [first, second, intent('CANCELLED')],
    })
    const isCanceled = sent.length > 1
    expect((await acquirer.closeKey(lookup())).kind).toBe(isCanceled ? 'absent' : 'unknown')
    const ids = double.asked.flatMap(({ body }) => (body['request_id'] as string | undefined) ?? [])
    expect(ids.map((id) => (id === 'int_1:cancel' ? id : 'a new one'))).toEqual(sent)
  })
})

describe('amounts', () => {
  test('what was captured counts, also where it is less than we asked for', async () => {
    const less = paid({ captured_amount: 60 })
    const captured = Money.ofDecimal('HKD', '60.00')
    expect(await inquiry(less)).toMatchObject({ kind: 'approved', captured })
    expect(await sale({}, confirmed(less))).toMatchObject({ kind: 'approved', captured })
    expect(await inquiry(paid())).not.toHaveProperty('captured')
    double.answer({ [`POST ${INTENT}/capture`]: less, [`GET ${INTENT}`]: less })
    expect(await acquirer.capture(followUp())).toMatchObject({ kind: 'approved', captured })
    const asked = { kind: 'capture', originalReference: 'int_1' } as const
    expect(await acquirer.inquire(lookup(asked))).toMatchObject({ kind: 'approved', captured })
  })

  test('another currency, more than we asked for, or nothing captured needs a person', async () => {
    expect((await inquiry(paid({ captured_amount: 100.02 }))).kind).toBe('unknown')
    expect((await inquiry(paid({ currency: 'USD' }))).kind).toBe('unknown')
    expect((await inquiry(paid({ captured_amount: 0 }))).kind).toBe('unknown')
    const { captured_amount: _none, ...without } = paid()[1] as Record<string, unknown>
    expect((await inquiry([200, without])).kind).toBe('approved')
  })

  test.each([
    ['amounts that are no numbers', { captured_amount: '100.01' }],
    ['a captured amount beyond all numbers', { captured_amount: 1e300 }],
    ['no amount', { amount: null, captured_amount: undefined }],
    ['no currency', { currency: 'XXXX' }],
    ['another id', { id: 'int_2' }],
  ])('an answer with %s pays nothing', async (_, more) => {
    expect((await sale({}, confirmed(paid(more)))).kind).toBe('unknown')
    expect((await inquiry(paid(more))).kind).toBe('unknown')
  })

  test('a payment of another amount that is not paid yet is never captured by us', async () => {
    expect((await inquiry(intent('REQUIRES_CAPTURE', { amount: 1 }))).kind).toBe('unknown')
    expect(double.targets()).toEqual([`GET ${INTENT}`])
  })

  test('a sale that the browser only authorized is captured, whatever code the attempt has', async () => {
    const held = intent('REQUIRES_CAPTURE', attempt('AUTHORIZED', { provider_original_response_code: '00' }))
    double.answer({ [`GET ${INTENT}`]: [held, held, paid()], [`POST ${INTENT}/capture`]: paid() })
    const nextAction = { type: 'component_confirmation', url: '' }
    expect((await acquirer.inquire(lookup({ nextAction }))).kind).toBe('approved')
    const capture = double.asked.find(({ target }) => target.endsWith('/capture'))
    expect(capture?.body).toMatchObject({ amount: 100.01, request_id: `${lookup().key}:capture` })
  })

  test.each([
    ['JPY', '1200', 1200],
    ['BHD', '1.234', 1.234],
    ['HKD', '0.10', 0.1],
    ['HUF', '1200.00', 1200],
  ])('%s %s is a number in major units', async (currency, text, amount) => {
    await sale({ amount: Money.ofDecimal(currency, text) }, confirmed(paid()))
    expect(double.asked.find(({ target }) => target.endsWith('/create'))?.body).toMatchObject({
      amount,
      currency,
    })
  })

  test('an amount that Airwallex cannot take is refused before it is sent', async () => {
    const outcome = await sale({ amount: Money.ofDecimal('HUF', '1200.50') }, confirmed(paid()))
    expect(outcome).toMatchObject({ kind: 'refused', responseCode: 'amount_not_supported' })
    expect(double.asked).toEqual([])
  })
})

describe('errors of a confirmation', () => {
  test.each([
    'issuer_declined',
    'provider_declined',
    'risk_declined',
    'authentication_declined',
    '3ds_not_supported',
    'no_3ds_liability_shift',
    'card_brand_not_supported',
    'rejected_by_routing_rules',
  ])('%s declines, once the intent is canceled', async (code) => {
    expect(await sale({ instrument: card }, confirmed(error(code)))).toMatchObject({
      kind: 'declined',
      gatewayTransactionId: 'int_1',
      responseCode: code,
    })
    expect(double.targets().at(-1)).toBe(`POST ${INTENT}/cancel`)
  })

  test.each([
    'validation_error',
    'payment_method_not_allowed',
    'currency_not_supported',
    'configuration_error',
    'suspended_from_online_payments',
    'resource_not_found',
    'quote_expired',
  ])('%s refuses, once the intent is canceled', async (code) => {
    expect(await sale({ instrument: card }, confirmed(error(code)))).toMatchObject({
      kind: 'refused',
      responseCode: code,
    })
    expect(double.targets().at(-1)).toBe(`POST ${INTENT}/cancel`)
  })

  test.each(['invalid_status_for_operation', 'resource_already_exists', 'duplicate_request'])(
    'after %s the intent is read',
    async (code) => {
      expect((await sale({ instrument: card }, confirmed(error(code), paid()))).kind).toBe('approved')
      const open = intent(
        'REQUIRES_PAYMENT_METHOD',
        attempt('FAILED', { provider_original_response_code: '54' }),
      )
      expect(await sale({ instrument: card }, confirmed(error(code), open))).toMatchObject({
        kind: 'declined',
        reason: 'expired_card',
      })
      expect((await sale({ instrument: card }, confirmed(error(code), [500, {}]))).kind).toBe('unknown')
    },
  )

  test.each<[string, HttpReply]>([
    ['provider_unavailable', error('provider_unavailable')],
    ['frequency_above_limit', error('frequency_above_limit')],
    ['401 after a new login', [401, { code: 'unauthorized' }]],
    ['408', [408, {}]],
    ['409', [409, { code: 'conflict' }]],
    ['429', [429, { code: 'too_many_requests' }]],
    ['500', [500, { code: 'internal_error' }]],
    ['503', [503, {}]],
    ['a redirect', [302, {}]],
  ])('%s is unknown, and nothing is canceled', async (_, answer) => {
    expect((await sale({ instrument: card }, confirmed(answer))).kind).toBe('unknown')
    expect(double.targets()).not.toContain(`POST ${INTENT}/cancel`)
  })

  test.each<[string, object]>([
    ['details.original_response_code', { details: { original_response_code: '51' } }],
    ['provider_original_response_code', { provider_original_response_code: '51' }],
  ])('the original code is read from %s', async (_, where) => {
    expect(await sale({ instrument: card }, confirmed(error('issuer_declined', where)))).toMatchObject({
      reason: 'insufficient_funds',
      responseCode: '51',
    })
  })

  test.each([
    ['51', 'insufficient_funds', false],
    ['54', 'expired_card', false],
    ['41', 'lost_card', true],
    ['43', 'stolen_card', true],
    ...['04', '07', '12', '14', '15', '57', '62'].map((code) => [code, 'card_declined', true] as const),
    ...['01', '05', '59', '61', '82', '91', 'ZZ'].map((code) => [code, 'card_declined', false] as const),
  ] as const)('original code %s is %s, hard: %s', async (code, reason, hard) => {
    const answer = error('issuer_declined', { details: { original_response_code: code } })
    expect(await sale({ instrument: card }, confirmed(answer))).toMatchObject({
      kind: 'declined',
      reason,
      hard,
      responseCode: code,
    })
  })

  test.each(['65', '1A'])('original code %s asks for the payer, and is confirmed once more', async (code) => {
    const refusal = error('issuer_declined', { details: { original_response_code: code } })
    const asks = intent('REQUIRES_CUSTOMER_ACTION', {
      next_action: { type: 'redirect', url: 'https://bank.example' },
    })
    expect(await sale({ payerPresent: false }, confirmed([refusal, asks]))).toMatchObject({
      kind: 'pending',
      nextAction: { type: 'three_d_secure', url: 'https://bank.example' },
    })
    const ids = double.asked
      .filter(({ target }) => target.endsWith('/confirm'))
      .map(({ body }) => body['request_id'])
    expect(new Set(ids).size).toBe(2)
  })

  test.each([
    ['authentication_declined', '05', 'authentication_failed', false],
    ['risk_declined', '59', 'card_declined', true],
  ])('%s outweighs its code', async (error_, code, reason, hard) => {
    const answer = error(error_, { details: { original_response_code: code } })
    expect(await sale({ instrument: card }, confirmed(answer))).toMatchObject({
      reason,
      hard,
      responseCode: code,
    })
  })

  test.each([
    ['03', true],
    ['21', true],
    ['02', false],
  ])('advice %s of Mastercard makes a decline hard: %s', async (advice, hard) => {
    const read = intent('REQUIRES_PAYMENT_METHOD', attempt('FAILED', { merchant_advice_code: advice }))
    const answer = error('issuer_declined', { details: { original_response_code: '51' } })
    expect(await sale({ instrument: card }, confirmed(answer, read))).toMatchObject({
      kind: 'declined',
      hard,
    })
  })

  test('a wallet and FPS are declined by their payer, even if no attempt names them', async () => {
    for (const instrument of [wallet, fps]) {
      expect(await sale({ instrument }, confirmed(error('provider_declined')))).toMatchObject({
        kind: 'declined',
        reason: 'payer_declined',
        hard: false,
        responseCode: 'provider_declined',
      })
    }
  })
})

describe('agreements', () => {
  const consent = (status: string): HttpReply => [
    200,
    { id: 'cst_1', status, customer_id: 'cus_1', payment_method: { type: 'alipayhk', alipayhk: {} } },
  ]

  test.each(['provider_declined', 'invalid_status_for_operation', 'validation_error', 'resource_not_found'])(
    'a charge that meets an ended agreement is a hard decline: %s',
    async (code) => {
      const scripts = { ...confirmed(error(code)), [`GET ${CONSENT}`]: consent('DISABLED') }
      expect(await sale({}, scripts)).toMatchObject({
        kind: 'declined',
        hard: true,
        reason: 'agreement_ended',
      })
    },
  )

  test('a paused agreement is a soft decline', async () => {
    const scripts = {
      ...confirmed(error('invalid_status_for_operation')),
      [`GET ${CONSENT}`]: consent('PAUSED'),
    }
    expect(await sale({}, scripts)).toMatchObject({ kind: 'declined', hard: false, reason: 'payer_declined' })
  })

  test('a decline of an agreement with a wallet is that of its payer, and its error stays what it was', async () => {
    const scripts = { ...confirmed(error('provider_declined')), [`GET ${CONSENT}`]: consent('VERIFIED') }
    expect(await sale({}, scripts)).toMatchObject({ kind: 'declined', hard: false, reason: 'payer_declined' })
    const refused = { ...confirmed(error('currency_not_supported')), [`GET ${CONSENT}`]: consent('VERIFIED') }
    expect(await sale({}, refused)).toMatchObject({ kind: 'refused', responseCode: 'currency_not_supported' })
  })

  test('a charge names the customer and the agreement, and nothing of a card', async () => {
    await sale({}, confirmed(paid()))
    const [create, confirm] = double.asked.filter(({ target }) => /create|confirm/.test(target))
    expect(create?.body).toMatchObject({ customer_id: 'cus_1' })
    expect(confirm?.body).toEqual({
      request_id: expect.any(String),
      payment_consent_id: 'cst_1',
      return_url: 'https://shop.example/back',
    })
  })
})

describe('the flow', () => {
  const asks = intent('REQUIRES_CUSTOMER_ACTION', { next_action: { type: 'render_qrcode', qrcode: 'code' } })

  test.each([
    ['fps', fps, ['webqr', 'qrcode']],
    ['alipayhk', wallet, ['qrcode', 'webqr']],
    ['alipayhk', { ...wallet, device: 'ios' } as const, ['mobile_web', 'mweb']],
  ] as const)(
    'of %s is sent in its other spelling once Airwallex refuses the first',
    async (type, instrument, flows) => {
      const refusal = error('validation_error', { source: `payment_method.${type}.flow` })
      expect((await sale({ instrument }, confirmed([refusal, asks]))).kind).toBe('pending')
      const bodies = double.asked.filter(({ target }) => target.endsWith('/confirm')).map(({ body }) => body)
      const sent = bodies.map(
        ({ payment_method: method }) => (method as Record<string, { flow: string }>)[type]?.flow,
      )
      expect(sent).toEqual(flows)
      expect(new Set(bodies.map(({ request_id: id }) => id)).size).toBe(2)
    },
  )

  test('is not sent again after another refusal', async () => {
    const refusal = error('validation_error', { source: 'amount' })
    expect((await sale({ instrument: fps }, confirmed([refusal, asks]))).kind).toBe('refused')
  })
})

describe('refunds', () => {
  const refund = (status: string, more: object = {}): HttpReply => [
    201,
    {
      id: 'rfd_1',
      status,
      amount: 100.01,
      currency: 'HKD',
      metadata: { quittance_key: followUp().key },
      ...more,
    },
  ]

  test.each([
    ['RECEIVED', 'approved'],
    ['ACCEPTED', 'approved'],
    ['SETTLED', 'approved'],
    ['FAILED', 'declined'],
    ['A_NEW_WORD', 'pending'],
  ])('%s is %s', async (status, kind) => {
    double.answer({ [`POST ${REFUNDS}/create`]: refund(status) })
    expect(await acquirer.refund(followUp())).toMatchObject({ kind, gatewayTransactionId: 'rfd_1' })
  })

  test('a refund that was seen before is found in the list by its request id', async () => {
    const listed = refund('RECEIVED', { metadata: {}, request_id: followUp().key })[1]
    double.answer({
      [`POST ${REFUNDS}/create`]: error('duplicate_request'),
      [`GET ${REFUNDS}`]: [200, { has_more: false, items: [listed] }],
    })
    expect((await acquirer.refund(followUp())).kind).toBe('approved')
  })

  test.each([
    ['amount_above_limit', 'refused'],
    ['invalid_status_for_operation', 'refused'],
    ['operation_not_supported', 'refused'],
    ['provider_unavailable', 'unknown'],
  ])('%s is %s', async (code, kind) => {
    double.answer({ [`POST ${REFUNDS}/create`]: error(code) })
    expect((await acquirer.refund(followUp())).kind).toBe(kind)
  })
})

test('a request id has at most 64 characters, is new for each operation and the same when it is repeated', async () => {
  const key = 'k'.repeat(64)
  const ids = async () => {
    await sale({ key, instrument: card }, confirmed(error('issuer_declined')))
    return double.asked.flatMap(({ body }) => (body['request_id'] as string | undefined) ?? [])
  }
  const first = await ids()
  expect(first).toHaveLength(3)
  expect(new Set(first).size).toBe(3)
  expect(Math.max(...first.map((id) => id.length))).toBe(64)
  expect(await ids()).toEqual(first)
})

describe('a card that the component keeps', () => {
  const kept = { customer_id: 'cus_1', metadata: { quittance_saves: 'card' } }
  const ofCard = {
    payment_method: {
      type: 'card',
      card: { brand: 'visa', last4: '0008', expiry_month: '12', expiry_year: '2049' },
    },
  }
  const payer = { customerUuid: 'cus_uuid', reference: null, name: 'A Payer', email: '' }

  test('is asked for with the payer as the customer of the intent', async () => {
    const outcome = await sale(
      { instrument: { type: 'component', data: '' }, savePayer: payer },
      {
        ...created,
        'POST /pa/customers/create': [201, { id: 'cus_1' }],
        [`GET ${INTENT}`]: intent('REQUIRES_PAYMENT_METHOD'),
      },
    )
    expect(outcome).toMatchObject({ kind: 'pending', nextAction: { type: 'component_confirmation' } })
    const { body } = double.asked.find(({ target }) => target === `POST ${INTENTS}/create`) ?? {}
    expect(body).toMatchObject(kept)
  })

  test.each([
    ['the intent', { payment_consent_id: 'cst_1' }, {}],
    ['its last attempt', {}, { payment_consent_id: 'cst_1' }],
  ])('is named by %s', async (_, more, ofAttempt) => {
    const read = paid({ ...kept, ...more, ...attempt('CAPTURE_REQUESTED', { ...ofCard, ...ofAttempt }) })
    expect(await inquiry(read)).toMatchObject({
      kind: 'approved',
      instrument: { id: 'cst_1', payerReference: 'cus_1', brand: 'visa', last4: '0008', expYear: 2049 },
    })
  })

  test('is none where nobody asked for it', async () => {
    const read = paid({ payment_consent_id: 'cst_1', ...attempt('CAPTURE_REQUESTED', ofCard) })
    expect(await inquiry(read)).not.toHaveProperty('instrument')
  })
})

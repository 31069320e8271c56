import { afterAll, describe, expect, test } from 'vitest'
import { realClock } from '#kernel/clock'
import type { Instrument, VerifyRequest } from '../../port/port.ts'
import { type HttpReply, card, CONSENT, lookup, startDouble } from '../testing/double.ts'

// Proves reference/acquirers#airwallex, reference/customers#agreements.
const double = await startDouble()
const acquirer = double.connect()
afterAll(() => acquirer.disconnect())

const CUSTOMER = 'a6c0d0a4-9f0e-4f6c-9b3a-0d2d5a9a1f11'
const consent = (status: string, more: object = {}): HttpReply => [
  200,
  { id: 'cst_1', status, customer_id: 'cus_1', metadata: { quittance_key: 'vrf_1' }, ...more },
]
const error = (code: string, more: object = {}): HttpReply => [400, { code, message: 'No.', ...more }]
const ofHk = (user?: string) => ({ payment_method: { type: 'alipayhk', alipayhk: { user_id: user } } })
const ofCard = {
  payment_method: {
    type: 'card',
    card: { brand: 'union pay', last4: '0008', bin: '62350155', expiry_month: '09', expiry_year: '2031' },
  },
}

function request(instrument: Instrument): VerifyRequest {
  return {
    key: 'vrf_1',
    at: realClock.now(),
    instrument,
    returnUrl: 'https://pay.example/verify',
    payer: { customerUuid: CUSTOMER, reference: null, name: 'A Payer', email: 'a@example.com' },
    commitReference: async () => true,
  }
}

const created = {
  'POST /pa/customers/create': [201, { id: 'cus_1' }] as HttpReply,
  'POST /pa/payment_consents/create': [201, consent('REQUIRES_PAYMENT_METHOD')[1]] as HttpReply,
  [`GET ${CONSENT}`]: consent('REQUIRES_PAYMENT_METHOD'),
  [`POST ${CONSENT}/disable`]: consent('DISABLED'),
}
const agreement = { type: 'wallet_b', autoDebit: true } as const
const verify = (instrument: Instrument, scripts: Parameters<typeof double.answer>[0]) => {
  double.answer({ ...created, ...scripts })
  return acquirer.verify(request(instrument))
}

describe('an agreement with a wallet', () => {
  test('waits for its payer, by address or by code', async () => {
    const action = { type: 'redirect', method: 'GET', url: 'https://agree.example', qrcode: 'weixin://agree' }
    const asked = consent('REQUIRES_CUSTOMER_ACTION', {
      next_action: action,
      payment_method: { type: 'wechatpay' },
    })
    const outcome = await verify(
      { type: 'wallet_a_pay', autoDebit: true },
      { [`POST ${CONSENT}/verify`]: asked },
    )
    expect(outcome).toMatchObject({
      kind: 'pending',
      nextAction: { type: 'wallet_confirmation', url: 'https://agree.example', qrCode: 'weixin://agree' },
    })
    const [customer, create, sent] = double.asked
      .filter(({ target }) => target.startsWith('POST /pa'))
      .map(({ body }) => body)
    expect(customer).toMatchObject({ merchant_customer_id: CUSTOMER })
    expect(create).toMatchObject({ next_triggered_by: 'merchant', merchant_trigger_reason: 'unscheduled' })
    expect(sent).toMatchObject({
      payment_method: { type: 'wechatpay', wechatpay: { flow: 'qrcode' } },
      verification_options: { wechatpay: { currency: 'HKD' } },
      return_url: 'https://pay.example/verify',
    })
  })

  test.each([
    ['N'.repeat(255), 'N'.repeat(128)],
    [`${'N'.repeat(127)}\u{1f600}`, 'N'.repeat(127)],
  ])('names its customer in at most 128 characters: %s', async (name, sent) => {
    double.answer({ ...created, [`POST ${CONSENT}/verify`]: consent('VERIFIED', ofHk()) })
    const asked = request(agreement)
    await acquirer.verify({ ...asked, payer: { ...asked.payer, name } })
    const customer = double.asked.find(({ target }) => target === 'POST /pa/customers/create')
    expect(customer?.body).toMatchObject({ first_name: sent })
  })

  test('is declined by its payer, even if the consent names no method any more', async () => {
    const refused = { failure_reason: { code: 'x', message: 'No.' } }
    double.answer({
      [`GET ${CONSENT}`]: consent('REQUIRES_PAYMENT_METHOD', refused),
      [`POST ${CONSENT}/disable`]: consent('DISABLED'),
    })
    const asked = lookup({ kind: 'verification', reference: 'cst_1', amount: null })
    const nextAction = { type: 'wallet_confirmation', url: 'https://agree.example' }
    expect(await acquirer.inquire({ ...asked, nextAction })).toMatchObject({
      kind: 'declined',
      reason: 'wallet_agreement_declined',
    })
  })

  test('has a customer at Airwallex already', async () => {
    const listed = {
      items: [
        { id: 'cus_2', merchant_customer_id: 'other' },
        { id: 'cus_1', merchant_customer_id: CUSTOMER },
      ],
    }
    const outcome = await verify(agreement, {
      'POST /pa/customers/create': error('resource_already_exists'),
      'GET /pa/customers': [200, listed],
      [`POST ${CONSENT}/verify`]: consent('VERIFIED', ofHk('208810******1234')),
    })
    expect(outcome).toMatchObject({ kind: 'approved', instrument: { payerReference: 'cus_1' } })
  })

  test.each([
    ['208810******1234', '208810******1234'],
    ['2088101234567890', '208*********7890'],
    [undefined, null],
  ])('shows the account %s as %s', async (user, account) => {
    double.answer({ [`GET ${CONSENT}`]: consent('VERIFIED', ofHk(user)) })
    expect(
      await acquirer.inquire(lookup({ kind: 'verification', reference: 'cst_1', amount: null })),
    ).toMatchObject({
      kind: 'approved',
      instrument: { wallet: { name: 'alipay_hk', account } },
    })
  })

  test.each(['provider_declined', 'risk_declined'])(
    'that is refused at once is declined: %s',
    async (code) => {
      expect(await verify(agreement, { [`POST ${CONSENT}/verify`]: error(code) })).toMatchObject({
        kind: 'declined',
        reason: 'wallet_agreement_declined',
      })
    },
  )

  test.each<[string, HttpReply, object]>([
    ['REQUIRES_CUSTOMER_ACTION', consent('REQUIRES_CUSTOMER_ACTION'), { kind: 'pending' }],
    ['PENDING', consent('PENDING'), { kind: 'pending' }],
    ['PAUSED', consent('PAUSED', ofHk('2088')), { kind: 'approved' }],
    ['DISABLED', consent('DISABLED', ofHk('2088')), { kind: 'absent', closed: true }],
    [
      'a failure',
      consent('REQUIRES_PAYMENT_METHOD', { failure_reason: { code: 'x', message: 'No.' }, ...ofHk() }),
      { kind: 'declined', reason: 'wallet_agreement_declined' },
    ],
    ['REQUIRES_PAYMENT_METHOD', consent('REQUIRES_PAYMENT_METHOD'), { kind: 'absent', closed: false }],
  ])('%s', async (_, read, outcome) => {
    double.answer({ [`GET ${CONSENT}`]: read, [`POST ${CONSENT}/disable`]: consent('DISABLED') })
    const found = await acquirer.inquire(lookup({ kind: 'verification', reference: 'cst_1', amount: null }))
    expect(found).toMatchObject(outcome)
  })

  test.each(['REQUIRES_PAYMENT_METHOD', 'REQUIRES_CUSTOMER_ACTION'])(
    'that nobody agreed to is closed, even if Airwallex disables no consent in %s',
    async (status) => {
      double.answer({
        [`GET ${CONSENT}`]: consent(status),
        [`POST ${CONSENT}/disable`]: error('invalid_status_for_operation'),
      })
      const asked = lookup({ kind: 'verification', reference: 'cst_1', amount: null })
      expect(await acquirer.closeKey(asked)).toEqual({ kind: 'absent', closed: true })
    },
  )

  test('that is closed again is disabled by the same request', async () => {
    const asked = lookup({ kind: 'verification', reference: 'cst_1', amount: null })
    const ids: unknown[] = []
    for (const answer of [[429, {}], consent('DISABLED')] as HttpReply[]) {
      double.answer({
        [`GET ${CONSENT}`]: consent('REQUIRES_CUSTOMER_ACTION'),
        [`POST ${CONSENT}/disable`]: answer,
      })
      await acquirer.closeKey(asked)
      ids.push(...double.asked.flatMap(({ body }) => body['request_id'] ?? []))
    }
    expect(ids).toEqual(['cst_1:disable', 'cst_1:disable'])
  })
})

describe('a consent that the component made', () => {
  const token = { type: 'acquirer_token', id: 'cst_1', payerReference: null } as const
  const own = {
    'GET /pa/customers/cus_1': [200, { id: 'cus_1', merchant_customer_id: CUSTOMER }] as HttpReply,
  }
  const verified = consent('VERIFIED', { next_triggered_by: 'merchant', metadata: {}, ...ofCard })

  test('is read, and never changed', async () => {
    expect(await verify(token, { ...own, [`GET ${CONSENT}`]: verified })).toMatchObject({
      kind: 'approved',
      instrument: {
        id: 'cst_1',
        brand: 'unionpay',
        first6: '623501',
        last4: '0008',
        expMonth: 9,
        expYear: 2031,
      },
    })
    expect(double.targets().every((target) => target.startsWith('GET '))).toBe(true)
  })

  test.each<[string, string, Record<string, HttpReply>]>([
    ['is unknown', 'resource_not_found', { [`GET ${CONSENT}`]: [404, { code: 'resource_not_found' }] }],
    [
      'is not verified',
      'payment_consent_not_verified',
      { [`GET ${CONSENT}`]: consent('REQUIRES_CUSTOMER_ACTION') },
    ],
    ['is disabled', 'payment_consent_not_verified', { [`GET ${CONSENT}`]: consent('DISABLED') }],
    [
      'is for the customer',
      'payment_consent_not_for_merchant',
      { [`GET ${CONSENT}`]: consent('VERIFIED', { next_triggered_by: 'customer', ...ofCard }) },
    ],
    [
      'is of a wallet',
      'payment_consent_not_of_a_card',
      { [`GET ${CONSENT}`]: consent('VERIFIED', { next_triggered_by: 'merchant', ...ofHk('2088') }) },
    ],
    [
      'is of Apple Pay',
      'payment_consent_not_of_a_card',
      {
        [`GET ${CONSENT}`]: consent('VERIFIED', {
          next_triggered_by: 'merchant',
          payment_method: { type: 'applepay', applepay: {} },
        }),
      },
    ],
    [
      'is of another payer',
      'payment_consent_of_another_customer',
      {
        [`GET ${CONSENT}`]: verified,
        'GET /pa/customers/cus_1': [200, { id: 'cus_1', merchant_customer_id: 'somebody' }],
      },
    ],
    [
      'has no customer',
      'payment_consent_of_another_customer',
      {
        [`GET ${CONSENT}`]: consent('VERIFIED', {
          next_triggered_by: 'merchant',
          customer_id: '../x',
          ...ofCard,
        }),
      },
    ],
  ])('is refused if it %s', async (_, responseCode, scripts) => {
    expect(await verify(token, { ...own, ...scripts })).toMatchObject({ kind: 'refused', responseCode })
    expect(double.targets().every((target) => target.startsWith('GET '))).toBe(true)
  })

  test.each(['pm_1', 'cst_', 'cst_a/../b', `cst_${'x'.repeat(61)}`, ''])(
    'is not asked for if its id does not look like one: %j',
    async (id) => {
      expect(await verify({ ...token, id }, {})).toMatchObject({ kind: 'refused' })
      expect(double.asked).toEqual([])
    },
  )
})

test('a card that is verified names its currency, and comes with its code', async () => {
  const outcome = await verify(card, { [`POST ${CONSENT}/verify`]: consent('VERIFIED', ofCard) })
  expect(outcome).toMatchObject({ kind: 'approved', instrument: { brand: 'unionpay' } })
  expect(double.asked.at(-1)?.body).toMatchObject({
    payment_method: {
      type: 'card',
      card: { number: card.number, cvc: '123', expiry_month: '12', expiry_year: '2030' },
    },
    verification_options: { card: { currency: 'HKD' } },
  })
})

describe('the end of an agreement', () => {
  const end = () => acquirer.agreements?.end('cst_1', 'pmt_1')

  test.each<[string, HttpReply[], string[]]>([
    ['it was seen', [error('duplicate_request'), consent('DISABLED')], ['pmt_1', 'a new one']],
    ['its failure is kept', [[500, {}], [500, {}], consent('DISABLED')], ['pmt_1', 'pmt_1', 'a new one']],
    ['it failed once', [[500, {}], consent('DISABLED')], ['pmt_1', 'pmt_1']],
  ])('is repeated if it changed nothing: %s', async (_, answers, sent) => {
    double.answer({ [`POST ${CONSENT}/disable`]: answers, [`GET ${CONSENT}`]: consent('VERIFIED') })
    expect(await end()).toEqual({ kind: 'ok', value: 'ended' })
    const ids = double.asked.flatMap(({ body }) => (body['request_id'] as string | undefined) ?? [])
    expect(ids.map((id) => (id === 'pmt_1' ? id : 'a new one'))).toEqual(sent)
  })

  test.each<[string, HttpReply, HttpReply, string]>([
    ['ended before', error('invalid_status_for_operation'), consent('DISABLED'), 'ok'],
    ['unknown there', [404, { code: 'resource_not_found' }], [404, {}], 'ok'],
    ['not answered', [500, {}], consent('VERIFIED'), 'unavailable'],
    ['in the way of a limit', [429, {}], consent('VERIFIED'), 'unavailable'],
  ])('%s', async (_, disabled, read, kind) => {
    double.answer({ [`POST ${CONSENT}/disable`]: disabled, [`GET ${CONSENT}`]: read })
    expect((await end())?.kind).toBe(kind)
  })
})

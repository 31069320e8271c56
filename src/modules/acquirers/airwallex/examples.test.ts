import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { Money } from '#kernel/money'
import { acquirerData, NEEDS_DATA } from '../../../../twins/common/acquirer-data.ts'
import type { Instrument, Outcome } from '../port/port.ts'
import { airwallexAdapter } from './index.ts'
import {
  type HttpReply,
  type Asked,
  chargeRequest,
  followUp,
  LOGIN,
  lookup,
  startDouble,
} from './testing/double.ts'

// Proves reference/acquirers#airwallex.
interface Example {
  readonly request?: {
    readonly path?: string
    readonly body?: Record<string, unknown>
    readonly headers?: object
  }
  readonly answer: { readonly status: number; readonly body: Record<string, unknown> }
}
interface Examples {
  readonly login: Example & { readonly refused: Example['answer'] }
  readonly account: Example
  readonly payment_method_types: Example
  readonly intent: Readonly<Record<string, Example & { other_next_actions?: Record<string, unknown>[] }>>
  readonly errors: Readonly<Record<string, Example['answer']>>
  readonly customer: Example
  readonly consent: {
    readonly create: Example
    readonly verify_alipayhk: Example
    readonly verify_wechat: Example
    readonly verified: Readonly<Record<'alipayhk' | 'wechatpay', object>>
    readonly refused: { readonly body: object }
    readonly disabled: { readonly body: object }
  }
  readonly refund: Example
  readonly dispute: { readonly list: Example; readonly file: Example; readonly challenge: Example }
  readonly settlement: { readonly batches: Example; readonly records: Example }
  readonly notice: {
    readonly secret: string
    readonly headers: Readonly<Record<string, string>>
    readonly raw_body: string
  }
}

const FILE = acquirerData('airwallex/examples.json')
const examples = (FILE === undefined ? {} : JSON.parse(readFileSync(FILE, 'utf8'))) as Examples
const ID = 'int_hkdmr7v9rg1j58ky8re'
const CST = 'cst_hkdmr7v9rg1j5chg4jx'
const double = await startDouble()
const acquirer = double.connect({ merchantId: 'acct_Vx5pYb0tM3uQ2r' })
afterAll(() => acquirer.disconnect())

const said = ({ answer }: Example): HttpReply => [answer.status, answer.body]
const bodyOf = (end: string): Record<string, unknown> => ({
  ...double.asked.find(({ target }) => target.endsWith(end))?.body,
})
const PATH = `/pa/payment_intents/${ID}`

async function pay(
  name: string,
  instrument: Instrument,
  kind: 'sale' | 'authorize' = 'sale',
): Promise<Outcome> {
  const { intent } = examples
  double.answer({
    'POST /pa/payment_intents/create': said(intent['create'] as Example),
    [`POST ${PATH}/confirm`]: said(intent[name] as Example),
  })
  return acquirer[kind](chargeRequest({ instrument }))
}

const desktop = (type: 'wallet_a_pay' | 'wallet_b' | 'fps'): Instrument => ({ type, autoDebit: false })

describe.skipIf(FILE === undefined)(`Airwallex's examples ${NEEDS_DATA}`, () => {
  test('the login, the account and its methods', async () => {
    const { login, account, payment_method_types: types } = examples
    // The example's own time has passed.
    double.answer({
      [LOGIN]: said(login),
      'GET /account': said(account),
      'GET /pa/config/payment_method_types': said(types),
    })
    const settings = {
      environment: 'test',
      credentials: { client_id: 'a-client-id', api_key: 'an-api-key', webhook_secret: 'w' },
      apiBase: double.url,
      statementDescriptor: null,
    } as const
    expect(await airwallexAdapter.checkCredentials(settings, { connect: {} })).toMatchObject({
      kind: 'accepted',
      merchantId: account.answer.body['id'],
    })
    const [first] = double.asked
    expect(first).toMatchObject({
      target: LOGIN,
      body: {},
      headers: { 'x-client-id': 'a-client-id', 'x-api-key': 'an-api-key' },
    })
    double.answer({ [LOGIN]: [login.refused.status, login.refused.body] })
    expect(await airwallexAdapter.checkCredentials(settings, { connect: {} })).toMatchObject({
      kind: 'refused',
      member: 'credentials.api_key',
    })
  })

  test('an intent is created with the amount as a number in major units', async () => {
    await pay('confirm_consent', {
      type: 'acquirer_token',
      id: CST,
      payerReference: 'cus_hkdmr7v9rg1j5c8kkx2',
    })
    const { amount, currency } = examples.intent['create']?.request?.body ?? {}
    expect(bodyOf('/create')).toMatchObject({ amount, currency, request_id: expect.any(String) })
    expect(bodyOf('/confirm')).toMatchObject({ payment_consent_id: CST })
  })

  test('a card is authorized', async () => {
    const { request } = examples.intent['confirm_card'] as Example
    const card = {
      type: 'card',
      number: '4035501000000008',
      expMonth: 12,
      expYear: 2030,
      holderName: 'A Payer',
      cvc: '123',
    } as const
    expect(await pay('confirm_card', card, 'authorize')).toMatchObject({
      kind: 'approved',
      gatewayTransactionId: ID,
      rrn: 'att_hkdmr7v9rg1j58m1n2p',
      authCode: '803478',
      responseCode: '00',
    })
    expect(bodyOf('/confirm')).toEqual({ ...request?.body, request_id: expect.any(String) })
  })

  test('3-D Secure is followed by GET or by POST, whatever its type', async () => {
    const example = examples.intent['confirm_3ds'] as Example & {
      other_next_actions: Record<string, unknown>[]
    }
    const first = example.answer.body['next_action'] as Record<string, unknown>
    for (const action of [first, ...example.other_next_actions]) {
      const body = { ...example.answer.body, next_action: action }
      double.answer({ [`GET ${PATH}`]: [200, body] })
      expect(await acquirer.inquire(lookup({ reference: ID }))).toMatchObject({
        kind: 'pending',
        nextAction: {
          type: 'three_d_secure',
          url: action['url'],
          ...(action['method'] === 'POST' && { form: action['data'] }),
        },
      })
    }
  })

  test.each<[string, Instrument, object]>([
    [
      'confirm_wechat_qr',
      desktop('wallet_a_pay'),
      { type: 'wallet_confirmation', url: '', qrCode: 'weixin://wxpay/bizpayurl?pr=abc123' },
    ],
    [
      'confirm_alipayhk_qr',
      desktop('wallet_b'),
      { type: 'wallet_confirmation', qrCode: 'https://qr.example/2026' },
    ],
    [
      'confirm_fps',
      desktop('fps'),
      { type: 'bank_confirmation', url: '', qrCode: '00020101021226…6304ABCD' },
    ],
  ])('%s', async (name, instrument, nextAction) => {
    expect(await pay(name, instrument)).toMatchObject({ kind: 'pending', nextAction })
    const { payment_method: method } = examples.intent[name]?.request?.body ?? {}
    expect(bodyOf('/confirm')['payment_method']).toEqual(method)
  })

  test('Alipay on a phone', async () => {
    const alipay = double.connect({ wallets: { walletA: null, walletB: 'alipay' } })
    const example = examples.intent['confirm_alipaycn_phone'] as Example
    double.answer({
      'POST /pa/payment_intents/create': said(examples.intent['create'] as Example),
      [`POST ${PATH}/confirm`]: said(example),
    })
    const outcome = await alipay.sale(
      chargeRequest({ instrument: { type: 'wallet_b', autoDebit: false, device: 'ios' } }),
    )
    expect(outcome).toMatchObject({
      nextAction: { type: 'wallet_confirmation', url: 'https://pay.example/go' },
    })
    expect(bodyOf('/confirm')).toEqual({ ...example.request?.body, request_id: expect.any(String) })
    await alipay.disconnect()
  })

  test('a capture of a part, and a cancellation', async () => {
    const { capture, cancel } = examples.intent
    double.answer({
      [`POST ${PATH}/capture`]: said(capture as Example),
      [`POST ${PATH}/cancel`]: said(cancel as Example),
    })
    const sixty = followUp({ originalReference: ID, amount: Money.ofDecimal('HKD', '60.00') })
    expect((await acquirer.capture(sixty)).kind).toBe('approved')
    expect(bodyOf('/capture')).toMatchObject({ amount: 60 })
    expect((await acquirer.void(sixty)).kind).toBe('approved')
  })

  test.each<[string, object]>([
    ['issuer_declined_newer', { kind: 'declined', reason: 'insufficient_funds', responseCode: '51' }],
    ['issuer_declined_older', { kind: 'declined', reason: 'insufficient_funds', responseCode: '51' }],
    ['validation_error', { kind: 'refused', responseCode: 'validation_error' }],
    ['duplicate_request', { kind: 'unknown' }],
    ['invalid_status', { kind: 'unknown' }],
    ['token', { kind: 'unknown' }],
    ['too_many', { kind: 'unknown' }],
  ])('the error %s', async (name, outcome) => {
    const { status, body } = examples.errors[name] ?? { status: 0, body: {} }
    double.answer({
      'POST /pa/payment_intents/create': said(examples.intent['create'] as Example),
      [`POST ${PATH}/confirm`]: [status, body],
      [`GET ${PATH}`]: [200, (examples.intent['create'] as Example).answer.body],
      [`POST ${PATH}/cancel`]: said(examples.intent['cancel'] as Example),
    })
    const card = {
      type: 'card',
      number: '4035501000000008',
      expMonth: 12,
      expYear: 2030,
      holderName: '',
      cvc: '123',
    } as const
    expect(await acquirer.sale(chargeRequest({ instrument: card }))).toMatchObject(outcome)
  })

  test.each(['verify_alipayhk', 'verify_wechat'] as const)('an agreement: %s', async (name) => {
    const example = examples.consent[name]
    const isWeChat = name === 'verify_wechat'
    double.answer({
      'POST /pa/customers/create': said(examples.customer),
      'POST /pa/payment_consents/create': said(examples.consent.create),
      [`POST /pa/payment_consents/${CST}/verify`]: [200, { ...example.answer.body, id: CST }],
    })
    const { at, commitReference } = chargeRequest()
    const outcome = await acquirer.verify({
      key: 'vrf_1',
      at,
      commitReference,
      instrument: { type: isWeChat ? 'wallet_a_pay' : 'wallet_b', autoDebit: true },
      returnUrl: 'https://shop.example/back',
      payer: { customerUuid: '1d6b', reference: null, name: '', email: '' },
    })
    const url = `https://agree.example/${isWeChat ? 'wechatpay' : 'alipayhk'}`
    expect(outcome).toMatchObject({
      kind: 'pending',
      nextAction: { type: 'wallet_confirmation', url, ...(isWeChat && { qrCode: 'weixin://agree' }) },
    })
    expect(bodyOf('/verify')).toEqual({ ...example.request?.body, request_id: expect.any(String) })
    expect(bodyOf('/payment_consents/create')).toMatchObject({
      ...examples.consent.create.request?.body,
      request_id: expect.any(String),
    })
  })

  test('consents that were verified, refused and disabled', async () => {
    const { verified, refused, disabled } = examples.consent
    const read = async (body: object) => {
      double.answer({ [`GET /pa/payment_consents/${CST}`]: [200, { ...body, id: CST }] })
      return acquirer.inquire(lookup({ kind: 'verification', reference: CST, amount: null }))
    }
    expect(await read(verified.alipayhk)).toMatchObject({
      instrument: { wallet: { name: 'alipay_hk', account: '208810******1234' } },
    })
    expect(await read(verified.wechatpay)).toMatchObject({
      instrument: { wallet: { name: 'wechat_pay', account: null } },
    })
    expect(await read(disabled.body)).toEqual({ kind: 'absent', closed: true })
    double.answer({
      [`GET /pa/payment_consents/${CST}`]: [200, { ...refused.body, id: CST }],
      [`POST /pa/payment_consents/${CST}/disable`]: [200, { ...disabled.body, id: CST }],
    })
    const asked = lookup({ kind: 'verification', reference: CST, amount: null })
    expect((await acquirer.inquire(asked)).kind).toBe('declined')
  })

  test('a refund of a part', async () => {
    double.answer({ 'POST /pa/refunds/create': said(examples.refund) })
    const ten = followUp({ originalReference: ID, amount: Money.ofDecimal('HKD', '10.00') })
    expect(await acquirer.refund(ten)).toMatchObject({
      kind: 'approved',
      gatewayTransactionId: 'rfd_hkdmr7v9rg1j5d3xk2a',
    })
    expect(bodyOf('/refunds/create')).toMatchObject({ payment_intent_id: ID, amount: 10 })
  })

  test('a dispute, its file and its challenge', async () => {
    const { list, file, challenge } = examples.dispute
    const [dispute] = list.answer.body['items'] as Record<string, unknown>[]
    const DISPUTE = '/pa/payment_disputes/dis_hkdmr7v9rg1j5e2abcd'
    double.answer({
      'GET /pa/payment_disputes': said(list),
      [`GET ${DISPUTE}`]: [200, dispute ?? {}],
      'POST /files/upload': said(file),
      [`POST ${DISPUTE}/challenge`]: [200, { ...dispute, ...challenge.answer.body, id: dispute?.['id'] }],
    })
    const { at } = chargeRequest()
    expect(await acquirer.disputes.list({ openedAfter: at, cursor: null })).toMatchObject({
      value: { items: [{ reason: 'fraud', state: 'needs_response', isSubmitted: false }], nextCursor: null },
    })
    const evidence = {
      texts: { product_type: 'physical_goods', reason: 'product_received', product_description: 'A lamp' },
      files: {
        primary: { name: 'receipt.pdf', contentType: 'application/pdf', content: Buffer.from('%PDF') },
      },
    }
    const submitted = await acquirer.disputes.submit('dis_hkdmr7v9rg1j5e2abcd', evidence, 'dsp_1')
    expect(submitted).toMatchObject({ kind: 'ok', value: { state: 'under_review', isSubmitted: true } })
    expect(bodyOf('/challenge')).toEqual({
      ...challenge.request?.body,
      request_id: expect.stringMatching(/^dsp_1:[0-9a-f]{32}$/) as string,
      supporting_documents: {
        documents: [{ type: 'PRIMARY', file_ids: [file.answer.body['file_id']] }],
      },
    })
  })

  test('a settled batch and its records', async () => {
    const { batches, records } = examples.settlement
    double.answer({
      'GET /pa/config/payment_method_types': said(examples.payment_method_types),
      'GET /pa/financial/settlements': ({ query }: Asked) =>
        query.get('currency') === 'HKD' ? said(batches) : ([200, { has_more: false, items: [] }] as const),
      'GET /pa/settlement_records': said(records),
    })
    const { at } = chargeRequest()
    const first = await acquirer.settlement.payouts({
      createdAfter: at,
      cursor: null,
      paidIn: async () => [],
    })
    expect(first).toMatchObject({ value: { items: [{ id: 'bat_20261129_HKD_1', amountMinor: 9_671n }] } })
    const lines = await acquirer.settlement.payoutEntries({ payoutId: 'bat_20261129_HKD_1', cursor: null })
    expect(lines).toMatchObject({
      value: {
        items: [{ type: 'payment', reference: ID, grossMinor: 10_001n, feeMinor: 330n, netMinor: 9_671n }],
      },
    })
  })

  test('the signature of a notice', () => {
    const { headers, raw_body: body } = examples.notice
    const receivedAt = Temporal.Instant.fromEpochMilliseconds(Number(headers['x-timestamp']))
    const read = (text: string) => acquirer.readNotices({ body: Buffer.from(text), headers, receivedAt })
    expect(read(body)).toMatchObject({
      ok: true,
      notices: [{ type: 'payment_intent.succeeded', subject: { kind: 'payment', reference: ID } }],
    })
    expect(read(body.replace('100.01', '1.00'))).toEqual({ ok: false, reason: 'invalid_signature' })
  })
})

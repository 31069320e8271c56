import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { NEEDS_DATA } from '../common/acquirer-data.ts'
import {
  exampleOf,
  exampleOfNotice,
  hasDescriptions,
  problemsOf,
  problemsOfNotice,
} from './testing/descriptions.ts'
import {
  ACCOUNT,
  type WitnessedReply,
  API_KEY,
  CARD,
  HMAC_KEY,
  itemOf,
  payment,
  startReceiver,
  startWitnessedTwin,
  type WitnessedTwin,
} from './testing/witness.ts'

/** Members of examples that the twin leaves out: 3-D Secure results that only Adyen's page produces. */
const LEFT_OUT = /^(threeds2\.|checkoutSessionId|originalPsp)/

let twin: WitnessedTwin

beforeAll(async () => {
  twin = await startWitnessedTwin()
})

afterEach(() => {
  if (hasDescriptions) expect(problemsOf(twin.exchanges)).toEqual([])
  twin.exchanges.length = 0
})

afterAll(() => twin.close())

/** The paths of all members, such as `additionalData.authCode`, with the type of each value. */
function membersOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return membersOf(value[0], `${path}[]`)
  if (typeof value !== 'object' || value === null) return [`${path}: ${typeof value}`]
  return Object.entries(value).flatMap(([name, each]) =>
    LEFT_OUT.test(name) ? [] : membersOf(each, `${path}.${name}`),
  )
}

function expectMembersOf(example: unknown, answer: unknown): void {
  expect(membersOf(answer)).toEqual(expect.arrayContaining(membersOf(example)))
}

describe.skipIf(!hasDescriptions)(`Adyen's examples ${NEEDS_DATA}`, () => {
  test.for([
    'card-direct',
    'card-securedfields',
    'card-3d-secure-redirect',
    'enableOneClick-SF',
    'subscription-first-transaction',
  ])('the example %s is answered as its example says', async (name) => {
    const request = exampleOf(`post-payments-${name}`)
    const example = exampleOf(`post-payments-${name}-200`)
    const answer = await twin.post('/v72/payments', { ...request, reference: name })
    expect(answer.status).toBe(200)
    expect(answer.body.resultCode).toBe(example['resultCode'])
    expectMembersOf(example, answer.body)
  })

  test.for([
    ['captures', 'capture'],
    ['refunds', 'refund'],
    ['cancels', 'cancel-with-psp-reference'],
    ['reversals', 'reversal'],
  ])('the example of %s is answered as its example says', async ([path, name]) => {
    const prefix = `post-payments-paymentPspReference-${path}-${name}`
    const { body } = await twin.post(
      '/v72/payments',
      payment(name ?? '', { merchantAccount: 'YOUR_MERCHANT_ACCOUNT' }),
    )
    const answer = await twin.post(`/v72/payments/${body.pspReference}/${path}`, exampleOf(prefix))
    expect(answer.status).toBe(201)
    expect(membersOf(answer.body).sort()).toEqual(membersOf(exampleOf(`${prefix}-201`)).sort())
    const { pspReference: _psp, paymentPspReference: _payment, ...same } = exampleOf(`${prefix}-201`)
    expect(answer.body).toMatchObject(same)
  })

  test('the examples of technical cancels and stored cards are answered as their examples say', async () => {
    const cancel = await twin.post('/v72/cancels', exampleOf('post-cancels-cancel-with-own-reference'))
    const { pspReference: _psp, ...same } = exampleOf('post-cancels-cancel-with-own-reference-201')
    expect(cancel.body).toMatchObject(same)
    for (const name of ['encrypted-card-details', 'unencrypted-card-details']) {
      const stored = await twin.post(
        '/v72/storedPaymentMethods',
        exampleOf(`post-storedPaymentMethods-${name}`),
      )
      const { id: _id, ...card } = exampleOf(`post-storedPaymentMethods-${name}-201`)
      expect(stored.body).toMatchObject(card)
    }
  })

  test("errors have the members of Adyen's examples, and two of them its very words", async () => {
    const unauthorized = await twin.post('/v72/payments', payment('e-1'), { 'x-api-key': 'refused' })
    expect(unauthorized.body).toMatchObject(exampleOf('generic-401'))
    const forbidden = await twin.post('/v72/payments', payment('e-2', { merchantAccount: '' }))
    const { pspReference: _psp, ...same } = exampleOf('generic-403')
    expect(forbidden.body).toMatchObject(same)
    expectMembersOf(exampleOf('generic-403'), forbidden.body)
    const { returnUrl: _url, ...withoutUrl } = payment('e-3')
    const invalid = await twin.post('/v72/payments', withoutUrl)
    const { pspReference: _other, ...words } = exampleOf('generic-422')
    expect(invalid.body).toMatchObject(words)
  })

  test('a request that is not JSON gets the example of 400', async () => {
    const answer = await fetch(`${twin.url}/v72/payments`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': API_KEY },
      body: '"',
    })
    const { message: _message, ...same } = exampleOf('generic-400')
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject(same)
  })

  test('the check of the descriptions finds a missing, a surplus and a wrong member', () => {
    const request = { method: 'POST', path: '/v72/payments', body: JSON.stringify(payment('c-1')) }
    const judge = (body: object) =>
      problemsOf([{ request, reply: { status: 200, body: JSON.stringify(body) } }])
    expect(judge({ resultCode: 'Authorised' })).toEqual([])
    expect(judge({ resultCode: 'Authorized' })).toHaveLength(1)
    expect(judge({ result: 'Authorised' })).toHaveLength(1)
    const incomplete = { ...request, body: JSON.stringify({ reference: 'c-1' }) }
    expect(problemsOf([{ request: incomplete, reply: { status: 200, body: '{}' } }])).toHaveLength(1)
    const notice = exampleOfNotice('CAPTURE')
    expect(problemsOfNotice(JSON.stringify(notice))).toEqual([])
    expect(problemsOfNotice(JSON.stringify({ ...notice, live: false }))).toHaveLength(1)
  })
})

describe.skipIf(!hasDescriptions)(`notices ${NEEDS_DATA}`, () => {
  let receiver: Awaited<ReturnType<typeof startReceiver>>

  beforeEach(async () => {
    receiver = await startReceiver()
    await twin.control('PUT', 'notices', { url: receiver.url, secret: HMAC_KEY })
  })

  afterEach(() => receiver.close())

  test("every notice that the twin sends has the members of Adyen's example", async () => {
    const held = (reference: string, holderName: string): Promise<WitnessedReply> =>
      twin.post(
        '/v72/payments',
        payment(reference, { shopperReference: 'm-shopper', paymentMethod: { ...CARD, holderName } }),
      )
    const amount = { currency: 'EUR', value: 1000 }
    const modify = (psp: string, kind: string) =>
      twin.post(`/v72/payments/${psp}/${kind}`, {
        merchantAccount: ACCOUNT,
        reference: kind,
        ...(kind !== 'cancels' && { amount }),
      })
    const stored = payment('m-1', {
      shopperReference: 'm-shopper',
      storePaymentMethod: true,
      recurringProcessingModel: 'CardOnFile',
    })
    await twin.post('/v72/payments', stored)
    for (const name of ['Second Chargeback', 'capture failed', 'refund failed']) {
      const { body } = await held(name, name)
      await modify(body.pspReference, 'captures')
      await modify(body.pspReference, 'refunds')
    }
    await modify((await held('m-2', 'Jane Doe')).body.pspReference, 'cancels')
    await held('m-3', 'Jane Doe')
    await twin.post('/v72/cancels', { merchantAccount: ACCOUNT, paymentReference: 'm-3' })
    await twin.control('POST', 'settle', { account: ACCOUNT })
    const codes = [
      'AUTHORISATION',
      'CAPTURE',
      'CAPTURE_FAILED',
      'REFUND',
      'REFUND_FAILED',
      'CANCELLATION',
      'TECHNICAL_CANCEL',
      'NOTIFICATION_OF_CHARGEBACK',
      'CHARGEBACK',
      'CHARGEBACK_REVERSED',
      'SECOND_CHARGEBACK',
      'REPORT_AVAILABLE',
    ]
    const standard = () => receiver.received.filter(({ headers }) => headers['hmacsignature'] === undefined)
    const reported = () => standard().map((notice) => itemOf(notice).eventCode)
    await expect.poll(reported).toEqual(expect.arrayContaining(codes))
    for (const code of codes) {
      const sent = standard().filter((notice) => itemOf(notice).eventCode === code)
      const members = new Set(sent.flatMap(({ body }) => membersOf(JSON.parse(body))))
      const missing = membersOf(exampleOfNotice(code)).filter((member) => !members.has(member))
      expect(missing.filter((member) => !NOT_ALWAYS_THERE.has(member.split('.').at(-1) ?? ''))).toEqual([])
    }
  })
})

/** Members of examples for other payment methods or for Adyen's own invoices. */
const NOT_ALWAYS_THERE = new Set([
  'shopperCountry: string',
  'autoDefended: string',
  'InvoiceCreditorAccount: string',
])

import { afterAll, describe, expect, test } from 'vitest'
import { startHttpServer } from '#platform/testing/http-server'
import { adyenAdapter } from './index.ts'

// Proves reference/acquirers#adyen.
const HMAC = 'AB'.repeat(32)
const TEST = {
  environment: 'test',
  credentials: { api_key: 'AQE', client_key: 'test_ABC', merchant_account: 'Shop', hmac_key: HMAC },
  apiBase: 'https://checkout-test.adyen.com',
  statementDescriptor: null,
} as const
const LIVE = {
  ...TEST,
  environment: 'live',
  credentials: { ...TEST.credentials, client_key: 'live_ABC' },
  apiBase: 'https://1797a841fbb37ca7-Shop-checkout-live.adyenpayments.com/checkout',
} as const

describe('the form of credentials', () => {
  test.each([
    [TEST],
    [LIVE],
    [{ ...TEST, apiBase: 'http://127.0.0.1:4000' }],
    [{ ...TEST, credentials: { ...TEST.credentials, hmac_key: `${HMAC},${HMAC.toLowerCase()}` } }],
  ])('%j is accepted', (settings) => {
    expect(adyenAdapter.checkForm(settings)).toBeNull()
  })

  test.each([
    ['credentials.client_key', { ...LIVE, credentials: TEST.credentials }],
    ['credentials.client_key', { ...TEST, credentials: LIVE.credentials }],
    ['credentials.hmac_key', { ...TEST, credentials: { ...TEST.credentials, hmac_key: 'AB' } }],
    ['credentials.hmac_key', { ...TEST, credentials: { ...TEST.credentials, hmac_key: `${HMAC},` } }],
    ['api_base', { ...TEST, apiBase: LIVE.apiBase }],
    ['api_base', { ...LIVE, apiBase: TEST.apiBase }],
    ['api_base', { ...TEST, apiBase: 'https://checkout-test.adyen.com/v72' }],
    ['api_base', { ...TEST, apiBase: 'checkout-test' }],
  ])('%s is named where it does not fit', (member, settings) => {
    expect(adyenAdapter.checkForm(settings)).toMatchObject({ kind: 'refused', member })
  })

  test('a live account must name its own host', () => {
    expect(adyenAdapter.defaultApiBase.live).toBeNull()
  })
})

describe('asking Adyen about credentials', async () => {
  let reply = { status: 200, text: '{}' }
  const seen: unknown[] = []
  const apiBase = await startHttpServer((request, response) => {
    seen.push(`${request.method} ${request.url}`, request.headers['x-api-key'])
    response.writeHead(reply.status).end(reply.text)
  })
  const check = (base = apiBase) =>
    adyenAdapter.checkCredentials({ ...TEST, apiBase: base }, { connect: {}, timeoutMs: 60_000 })

  test.each([
    [200, { kind: 'accepted', merchantId: 'Shop' }],
    [401, { kind: 'refused', member: 'credentials.api_key' }],
    [403, { kind: 'refused', member: 'credentials.merchant_account' }],
    [422, { kind: 'refused', member: 'credentials.merchant_account' }],
    [429, { kind: 'unavailable' }],
    [500, { kind: 'unavailable' }],
  ])('HTTP %i', async (status, result) => {
    reply = { status, text: '{"paymentMethods":[]}' }
    expect(await check()).toMatchObject(result)
  })

  test('no answer', async () => {
    expect(await check('http://127.0.0.1:1')).toMatchObject({ kind: 'unavailable' })
  })

  afterAll(() => {
    expect(seen.slice(0, 2)).toEqual(['POST /v72/paymentMethods', 'AQE'])
    expect(JSON.stringify(seen)).not.toContain(HMAC)
  })
})

test('the component is of the environment, or of the double itself', () => {
  const component = (settings: typeof TEST | typeof LIVE | { readonly apiBase: string }) => {
    const full = { ...TEST, ...settings, merchantId: 'Shop' }
    const connected = adyenAdapter.connect(full, { connect: {}, findNotices: async () => [] })
    void connected.disconnect()
    return connected.component
  }
  expect(component(TEST)).toMatchObject({
    publicKey: 'test_ABC',
    scriptUrl: expect.stringMatching(
      /^https:\/\/checkoutshopper-test\.cdn\.adyen\.com\/checkoutshopper\/sdk\/6\./,
    ),
  })
  expect(component(LIVE).scriptUrl).toMatch(/^https:\/\/checkoutshopper-live\.cdn\.adyen\.com\//)
  const double = component({ apiBase: 'http://127.0.0.1:4000' })
  expect(new Set(Object.values(double.origins).flat())).toEqual(new Set(['http://127.0.0.1:4000']))
})

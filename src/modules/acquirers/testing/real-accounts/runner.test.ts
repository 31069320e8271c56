import { afterAll, describe, expect, test } from 'vitest'
import type { Movement } from '../../../../../twins/common/books.ts'
import { startTwin } from '../../../../../twins/common/twin-process.ts'
import type { AcquirerName } from '../../port/adapter.ts'
import type { PortBooking } from '../port-harness.ts'
import { describePort } from '../port-suite.ts'
import { readTestAccount } from './environment.ts'
import { adyenPort, airwallexPort, stripePort } from './real-ports.ts'

const CREDENTIALS = {
  TEST_REAL_ACQUIRERS: '1',
  STRIPE_SECRET_KEY: 'sk_test_runner',
  ADYEN_API_KEY: 'AQE1runner',
  ADYEN_MERCHANT_ACCOUNT: 'Runner',
  ADYEN_CLIENT_KEY: 'test_runner',
  AIRWALLEX_CLIENT_ID: 'runner',
  AIRWALLEX_API_KEY: 'key',
}

describe.each([
  ['stripe', stripePort],
  ['adyen', adyenPort],
  ['airwallex', airwallexPort],
] as const)('the run against a test account, here on the twin of %s', async (acquirer, portOf) => {
  const twin = await startTwin(acquirer)
  afterAll(() => twin.stop())
  const found = readTestAccount(acquirer, {
    ...CREDENTIALS,
    [`${acquirer.toUpperCase()}_API_BASE`]: twin.url,
  })
  if (found.kind !== 'account') throw new Error(found.reason)
  const port = await portOf(found.account)
  describePort(`an account at ${acquirer}`, port)

  test('the books of the run hold what the books of the twin hold', async () => {
    const [read, kept] = [moneyIn(await port.books()), moneyIn(await twin.books())]
    expect(read.length).toBeGreaterThan(20)
    expect(read).toEqual(kept)
  })
})

/** Sales, captures and refunds by key. The twin of Adyen books a sale as its capture. */
function moneyIn(lines: readonly (PortBooking | Movement)[]): string[] {
  return lines
    .filter(({ operation, outcome }) => outcome === 'approved' && /sale|capture|refund/.test(operation))
    .map(({ key, operation, amount }) => {
      const isSale = key.endsWith(':capture')
      return `${key.replace(/:capture$/, '')} ${isSale ? 'sale' : operation} ${amount}`
    })
    .sort()
}

describe('which account is used', () => {
  const variables = (changes: Record<string, string | undefined>) => ({ ...CREDENTIALS, ...changes })

  test.each<[AcquirerName, string]>([
    ['stripe', 'STRIPE_SECRET_KEY'],
    ['adyen', 'ADYEN_API_KEY'],
    ['adyen', 'ADYEN_MERCHANT_ACCOUNT'],
    ['adyen', 'ADYEN_CLIENT_KEY'],
    ['airwallex', 'AIRWALLEX_CLIENT_ID'],
    ['airwallex', 'AIRWALLEX_API_KEY'],
    ['stripe', 'TEST_REAL_ACQUIRERS'],
    ['airwallex', 'TEST_REAL_ACQUIRERS'],
  ])('%s is skipped without %s', (acquirer, name) => {
    const reason = `${name} is not set`
    for (const value of [undefined, '']) {
      expect(readTestAccount(acquirer, variables({ [name]: value }))).toEqual({ kind: 'skipped', reason })
    }
  })

  test.each<[AcquirerName, string, string]>([
    ['stripe', 'STRIPE_SECRET_KEY', 'sk_live_secret'],
    ['stripe', 'STRIPE_SECRET_KEY', 'secret'],
    ['adyen', 'ADYEN_CLIENT_KEY', 'live_secret'],
    ['adyen', 'ADYEN_API_BASE', 'https://secret-checkout-live.adyenpayments.com/checkout'],
  ])('%s is refused with %s %s, which is not repeated', (acquirer, name, value) => {
    const found = readTestAccount(acquirer, variables({ [name]: value }))
    expect(found.kind).toBe('refused')
    expect(JSON.stringify(found)).not.toContain('secret_')
    expect(JSON.stringify(found)).not.toContain(value)
  })

  test.each<[AcquirerName, string]>([
    ['stripe', 'https://api.stripe.com'],
    ['adyen', 'https://checkout-test.adyen.com'],
  ])('%s is asked at %s', (acquirer, apiBase) => {
    expect(readTestAccount(acquirer, CREDENTIALS)).toMatchObject({ kind: 'account', account: { apiBase } })
  })
})

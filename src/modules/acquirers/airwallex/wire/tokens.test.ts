import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import {
  card,
  chargeRequest,
  intent,
  INTENT,
  INTENTS,
  LOGIN,
  loginAnswer,
  paid,
  startDouble,
} from '../testing/double.ts'
import type { ConnectedAcquirer } from '../../port/adapter.ts'

// Proves reference/acquirers#airwallex.
const double = await startDouble()
let acquirer: ConnectedAcquirer
afterEach(() => acquirer.disconnect())

const payable = {
  [`POST ${INTENTS}/create`]: intent('REQUIRES_PAYMENT_METHOD'),
  [`POST ${INTENT}/confirm`]: paid(),
} as const
let payments = 0
const pay = () => acquirer.sale(chargeRequest({ key: `txn_${payments++}`, instrument: card }))
const PAYMENTS = 500
const AT_ONCE = 50

async function payAll(onRound: () => void = () => {}): Promise<string[]> {
  const kinds: string[] = []
  for (let done = 0; done < PAYMENTS; done += AT_ONCE) {
    onRound()
    const outcomes = await Promise.all(Array.from({ length: AT_ONCE }, pay))
    kinds.push(...outcomes.map(({ kind }) => kind))
  }
  return kinds
}

test('500 payments need one login', async () => {
  double.answer(payable)
  acquirer = double.connect()
  expect(new Set(await payAll())).toEqual(new Set(['approved']))
  expect(double.logins()).toBe(1)
})

test('of 500 payments while tokens end none is lost, and each end costs one login', async () => {
  let valid = ''
  let logins = 0
  const unlessEnded =
    (answer: (typeof payable)[keyof typeof payable]) =>
    ({ headers }: { headers: Readonly<Record<string, unknown>> }) =>
      headers['authorization'] === `Bearer ${valid}`
        ? answer
        : ([401, { code: 'unauthorized', message: 'Access denied' }] as const)
  double.answer({
    [LOGIN]: () => {
      valid = `token-${++logins}`
      return loginAnswer(1_800, valid)
    },
    [`POST ${INTENTS}/create`]: unlessEnded(payable[`POST ${INTENTS}/create`]),
    [`POST ${INTENT}/confirm`]: unlessEnded(payable[`POST ${INTENT}/confirm`]),
  })
  acquirer = double.connect()
  const kinds = await payAll(() => (valid = ''))
  expect(new Set(kinds)).toEqual(new Set(['approved']))
  expect(logins).toBe(PAYMENTS / AT_ONCE)
})

test('a token is renewed before it ends', async () => {
  let nowMs = Date.now()
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => nowMs)
  onTestFinished(() => clock.mockRestore())
  double.answer({ ...payable, [LOGIN]: () => loginAnswer(1_000) })
  acquirer = double.connect()
  await pay()
  await pay()
  expect(double.logins()).toBe(1)
  nowMs += 990_000
  await pay()
  expect(double.logins()).toBe(2)
})

test.each([
  ['no expiry', { token: 'eyJ' }],
  ['an expiry in another zone', { token: 'eyJ', expires_at: '2099-01-01T00:00:00+0800' }],
  ['an expiry that our clock has passed', { token: 'eyJ', expires_at: '2020-01-01T00:00:00+0000' }],
])('a token with %s is used again', async (_, answer) => {
  double.answer({ ...payable, [LOGIN]: [201, answer] })
  acquirer = double.connect()
  for (let n = 0; n < 3; n++) expect((await pay()).kind).toBe('approved')
  expect(double.logins()).toBe(1)
})

test('a 401 is answered by one new login and the same request with the same request id', async () => {
  double.answer({ ...payable, [`POST ${INTENT}/confirm`]: [[401, { code: 'unauthorized' }], paid()] })
  acquirer = double.connect()
  expect((await pay()).kind).toBe('approved')
  const confirms = double.asked.filter(({ target }) => target.endsWith('/confirm'))
  expect(confirms).toHaveLength(2)
  expect(confirms[0]?.body).toEqual(confirms[1]?.body)
  expect(double.logins()).toBe(2)
})

test('a 401 after a new login is unknown for a confirmation, and refuses a payment that was not created', async () => {
  double.answer({ ...payable, [`POST ${INTENT}/confirm`]: [401, { code: 'unauthorized' }] })
  acquirer = double.connect()
  expect((await pay()).kind).toBe('unknown')
  expect(double.asked.filter(({ target }) => target.endsWith('/confirm'))).toHaveLength(2)
})

test.each([429, 500, 503])(
  'a login that gets %i sends nothing, so that another account may try',
  async (status) => {
    double.answer({ ...payable, [LOGIN]: [status, {}] })
    acquirer = double.connect()
    expect(await pay()).toMatchObject({ kind: 'refused', responseCode: 'not_sent' })
    expect(double.targets()).toEqual([])
  },
)

test('every request names the version, and only logins name the keys and the account', async () => {
  double.answer(payable)
  const credentials = { client_id: 'id', api_key: 'key', webhook_secret: 'w', account_id: 'acct_2' }
  acquirer = double.connect({ credentials })
  await pay()
  const versions = double.asked.map(({ headers }) => headers['x-api-version'])
  expect(new Set(versions)).toEqual(new Set(['2025-06-30']))
  const named = double.asked.map(({ target, headers }) => [
    target === LOGIN,
    headers['x-client-id'],
    headers['x-api-key'],
    headers['x-login-as'],
  ])
  expect(named).toEqual([
    [true, 'id', 'key', 'acct_2'],
    [false, undefined, undefined, undefined],
    [false, undefined, undefined, undefined],
  ])
})

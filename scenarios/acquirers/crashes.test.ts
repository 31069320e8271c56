import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, expect, test } from 'vitest'
import { freePort } from '#platform/embedded-postgres/free-port'
import { createMigratedDatabase } from '#platform/testing/database'
import { CheckingClient } from '../harness/checking-client.ts'
import { cardToBind, PAYMENTS } from '../harness/client.ts'
import { startService } from '../harness/service.ts'
import { ADYEN } from '../harness/twin-of-adyen.ts'
import { STRIPE } from '../harness/twin-of-stripe.ts'
import { ROUTING, startBank } from '../harness/twins.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'quittance-crashes-'))
const databaseUrl = await createMigratedDatabase()
const port = await freePort()
const env = { DATABASE_URL: databaseUrl, RATE_LIMIT: '0', ALLOW_PRIVATE_WEBHOOKS: '1' }
const start = () => startService({ dataDir, port, env })
let service = await start()
afterAll(async () => {
  await service.stop()
  await rm(dataDir, { recursive: true, force: true })
})
const client = new CheckingClient(service.sandbox)
const [stripe, adyen] = await Promise.all([startBank(STRIPE), startBank(ADYEN)])
const atStripe = await stripe.connect(client)
const atAdyen = await adyen.connect(client)
const database = new pg.Client({ connectionString: databaseUrl })
await database.connect()
afterAll(() => database.end())
afterEach(() => Promise.all([stripe.twin.setFaults({}), adyen.twin.setFaults({})]))

const APPROVES = '4242424242424242'
/** Stripe's card. */
const INSUFFICIENT_FUNDS = '4000000000009995'
const LATENCY_MS = 4_500
const SOON = { timeout: 60_000, interval: 20 }

interface Crash {
  readonly name: string
  readonly number: string
  readonly accounts: readonly [string, ...string[]]
  readonly slow: { readonly bank: typeof stripe; readonly match: string }
  /** A condition on the operations of the order: true when the moment of the crash has come. */
  readonly when: string
  /** Whether the request that was on its way arrives before the service is back. */
  readonly isBackLate: boolean
}

const FALLBACK_INITIATED = 'count(*) = 1 and bool_and(reference is null) and bool_and(account = $2)'
const REFERENCE_COMMITTED = 'bool_or(reference is not null and account = $2)'

const crashes: Crash[] = [
  ...[true, false].map((isBackLate) => ({
    name: `between the first account's decline and the fallback (${isBackLate ? 'late' : 'early'})`,
    number: INSUFFICIENT_FUNDS,
    accounts: [atStripe.id, atAdyen.id] as const,
    slow: { bank: adyen, match: ADYEN.paths.begin },
    when: FALLBACK_INITIATED,
    isBackLate,
  })),
  {
    name: 'after the id of the fallback was committed',
    number: INSUFFICIENT_FUNDS,
    accounts: [atStripe.id, atAdyen.id],
    slow: { bank: adyen, match: ADYEN.paths.sale },
    when: REFERENCE_COMMITTED,
    isBackLate: true,
  },
  ...[true, false].map((isBackLate) => ({
    name: `between the id of Stripe and its confirmation (${isBackLate ? 'late' : 'early'})`,
    number: APPROVES,
    accounts: [atStripe.id] as const,
    slow: { bank: stripe, match: STRIPE.paths.sale },
    when: REFERENCE_COMMITTED,
    isBackLate,
  })),
]

async function hasCome(orderId: string, { when, accounts }: Crash): Promise<boolean> {
  const { rows } = await database.query<{ has_come: boolean | null }>(
    `select ${when} as has_come
       from (select o.reference, t.acquirer_account_id as account
               from acquirer_operations o join transactions t on t.business_id = o.business_id and t.id = o.transaction_id
              where o.order_id = $1) operations`,
    [orderId, accounts.at(-1)],
  )
  return rows[0]?.has_come === true
}

async function moved(uuids: readonly string[]): Promise<string[]> {
  const sales = uuids.flatMap((uuid) => [stripe.moved(uuid, 'sale'), adyen.moved(uuid, 'sale')])
  return (await Promise.all(sales)).flat()
}

const uuidsOf = ({ transactions }: { transactions: { uuid: string }[] }) =>
  transactions.map(({ uuid }) => uuid)

// Proves reference/payments#two-steps, reference/acquirers#fallbacks, reference/acquirers#outcomes.
test.each(crashes)('a kill $name leaves nothing open and the order is paid once', async (crash) => {
  const [first, ...fallback] = crash.accounts
  await client.ok('PUT', ROUTING, {
    routing: {
      rules: [
        { when: { max_amount: 0 }, accounts: [{ id: 'simulator' }] },
        { when: {}, accounts: [{ id: first }], fallback },
      ],
    },
  })
  const { uuid } = await client.createCustomer()
  const { token } = await client.bind(uuid, cardToBind(crash.number))
  const { number } = await client.createOrder()
  await crash.slow.bank.twin.setFaults({ latency_ms: LATENCY_MS, match: crash.slow.match })
  const key = { idempotencyKey: randomUUID() }
  const body = { order: { number }, transaction: { type: 'Sales', payment_token: token } }
  const cut = client.call('POST', `${PAYMENTS}/orders/pay`, body, key).then(
    ({ status }) => status,
    () => 'cut',
  )
  await expect.poll(() => hasCome(number, crash), SOON).toBe(true)
  await service.stop('SIGKILL')
  expect(await cut).toBe('cut')
  if (crash.isBackLate) await new Promise((resolve) => setTimeout(resolve, LATENCY_MS))
  // A service with a database of its own does this when it starts.
  await database.query('update acquirer_operations set leased_until = null')
  service = await start()
  await crash.slow.bank.twin.setFaults({})

  const isOpen = async () => {
    await client.advanceBy('PT10M')
    const { transactions } = await client.checkOrder(number)
    return transactions.some((each: { is_pending: boolean }) => each.is_pending)
  }
  await expect.poll(isOpen, { interval: 300 }).toBe(false)
  const ended = await client.checkOrder(number)
  expect(ended.transactions).toHaveLength(crash.accounts.length)
  const booked = await moved(uuidsOf(ended))
  expect(booked).toEqual(ended.state === 'completed' ? ['100.00'] : [])
  expect(ended.paid_total).toBe(booked[0] ?? '0.00')
  const replayed = await client.call('POST', `${PAYMENTS}/orders/pay`, body, key)
  expect(replayed.status).toBe(ended.state === 'completed' ? 200 : 502)

  // What was abandoned moves no money any more, whatever arrives late.
  if (ended.state !== 'completed') expect((await client.pay(number, token)).status).toBe(200)
  const paid = await client.checkOrder(number)
  expect(paid).toMatchObject({ state: 'completed', paid_total: '100.00' })
  expect(await moved(uuidsOf(paid))).toEqual(['100.00'])
})

import { expect, test } from 'vitest'
import { PlainDatabase } from '#platform/postgres/plain/plain-database'
import { type DatabaseProxy, startDatabaseProxy } from '#platform/postgres/testing/database-proxy'
import { cleanUp } from '#platform/testing/clean-up'
import { withKey } from '#platform/testing/requests'
import { eventually } from '#platform/testing/until'
import {
  check,
  createFixture,
  failure,
  followUp,
  type Merchant,
  newOrder,
  pay,
  voidOrder,
} from '../testing/fixture.ts'

const IS_CITUS = process.env['CITUS_URL'] !== undefined

let proxy: DatabaseProxy | undefined
const fixture = await createFixture({
  open: async (url) => {
    proxy = await startDatabaseProxy(url)
    const db = new PlainDatabase({ url: proxy.url, maxConnections: 10, readers: 1 })
    cleanUp(() => db.close())
    return db
  },
})

async function whileDatabaseIsAway(request: () => Promise<unknown>): Promise<void> {
  const booked = async <T>(outcome: Promise<T>): Promise<T> => {
    await outcome
    proxy?.cut()
    return outcome
  }
  const { real } = fixture
  fixture.between.acquirer = {
    ...real,
    sale: (sent) => booked(real.sale(sent)),
    refund: (sent) => booked(real.refund(sent)),
    void: (sent) => booked(real.void(sent)),
  }
  try {
    expect(await failure(request())).toMatchObject({ status: 504, reason: 'outcome_unknown' })
  } finally {
    fixture.between.acquirer = real
    proxy?.restore()
  }
}

function keyed(merchant: Merchant, key: string): Merchant {
  return { ...merchant, caller: withKey(merchant.caller, key) }
}

// Proves reference/payments#unknown-outcomes, reference/conventions#idempotency.
test.skipIf(IS_CITUS)(
  'what an acquirer said while the database was away is recorded when it is back, and the same key gets it',
  async () => {
    const merchant = await fixture.newMerchant()
    const { number } = await newOrder(fixture, merchant)
    const paying = keyed(merchant, 'pay')
    await whileDatabaseIsAway(() => pay(fixture, paying, number))
    const repeated = () => pay(fixture, paying, number).catch((error: unknown) => error)
    expect(await repeated()).toMatchObject({ reason: 'idempotency_key_in_use' })
    await eventually(repeated, (reply) => (reply as { status?: number }).status === 200)
    const [sale] = (await check(fixture, merchant, number)).transactions
    const refund = () =>
      followUp(fixture, keyed(merchant, 'refund'), 'refund', sale?.uuid ?? '', { amount: 40 })
    await whileDatabaseIsAway(refund)
    const refunded = () => check(fixture, merchant, number)
    await eventually(refunded, ({ paid_total: total }) => total === '60.00')
    expect(await refund().catch((error: unknown) => error)).toMatchObject({ status: 200 })
  },
)

test.skipIf(IS_CITUS)(
  'the void of an order whose recording was lost goes on when the database is back',
  async () => {
    const merchant = await fixture.newMerchant()
    const { number } = await newOrder(fixture, merchant)
    await pay(fixture, merchant, number)
    await whileDatabaseIsAway(() => voidOrder(fixture, merchant, number))
    const transactions = async () => (await check(fixture, merchant, number)).transactions
    await eventually(transactions, ([sale]) => sale?.void_is_pending === false)
    expect(await transactions()).toMatchObject([{ success: false }])
  },
)

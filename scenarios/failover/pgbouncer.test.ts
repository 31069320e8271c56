import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { migrate, UnfitDatabase } from '#platform/postgres/migrations/migrate'
import { createEmptyDatabase } from '#platform/testing/database'
import { Client, PAYMENTS } from '../harness/client.ts'
import { startService } from '../harness/service.ts'
import { startPgbouncer } from './pgbouncer.ts'

/** The tests need packages of Debian's, so only `npm run test:failover` runs them. */
const isSkipped = process.env['TEST_FAILOVER'] !== '1'

async function pooled(mode: 'session' | 'transaction' | 'statement'): Promise<string> {
  const pool = await startPgbouncer(await createEmptyDatabase(), mode)
  onTestFinished(() => pool.stop())
  return pool.url
}

const REFUSAL = new UnfitDatabase(
  'DATABASE_URL leads to a connection pool that lends connections by transaction or statement: set it to session mode (pgbouncer: pool_mode = session), or connect to the database itself.',
)

test.skipIf(isSkipped).each(['transaction', 'statement'] as const)(
  'pgbouncer in %s mode is refused in a sentence',
  async (mode) => {
    await expect(migrate(await pooled(mode))).rejects.toEqual(REFUSAL)
  },
)

test.skipIf(isSkipped)('pgbouncer in transaction mode is refused while others keep it busy', async () => {
  const url = await pooled('transaction')
  const done = new AbortController()
  const others = Array.from({ length: 8 }, async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    while (!done.signal.aborted) await client.query('select pg_sleep(random() / 100)')
    await client.end()
  })
  try {
    for (let tries = 0; tries < 20; tries++) await expect(migrate(url)).rejects.toEqual(REFUSAL)
  } finally {
    done.abort()
    await Promise.all(others)
  }
})

test.skipIf(isSkipped)('a service works through pgbouncer in session mode', async () => {
  const service = await startService({ env: { DATABASE_URL: await pooled('session') } })
  try {
    const client = new Client(service.sandbox)
    const customer = await client.createCustomer()
    const { customers } = await client.ok('GET', `${PAYMENTS}/customers`)
    expect((customers as { uuid: string }[]).map(({ uuid }) => uuid)).toEqual([customer.uuid])
  } finally {
    await service.stop()
  }
})

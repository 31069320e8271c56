import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { migrate, UnfitDatabase } from '#platform/postgres/migrations/migrate'
import { freePort } from '#platform/embedded-postgres/free-port'
import { createEmptyDatabase } from '#platform/testing/database'
import { startDatabasePair } from '../../simulation/faults/database-pair.ts'
import { Client, PAYMENTS } from '../harness/client.ts'
import { type Service, startService } from '../harness/service.ts'
import { startPgbouncer } from './pgbouncer.ts'

/** The tests need packages of Debian's, so only `npm run test:failover` runs them. */
const isSkipped = process.env['TEST_FAILOVER'] !== '1'

async function pooled(mode: 'session' | 'transaction' | 'statement'): Promise<string> {
  const pool = await startPgbouncer(await createEmptyDatabase(), mode)
  onTestFinished(() => pool.stop())
  return pool.url
}

const PROBLEM =
  'leads to a connection pool that lends connections by transaction or statement: set it to session mode (pgbouncer: pool_mode = session), or connect to the database itself.'
const REFUSAL = new UnfitDatabase(`DATABASE_URL ${PROBLEM}`)

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

async function startPair() {
  const pair = await startDatabasePair()
  onTestFinished(() => pair.stop())
  return pair
}

async function startWithReplica(primaryUrl: string, replicaUrl: string): Promise<Service> {
  const service = await startService({
    env: { DATABASE_URL: primaryUrl, DATABASE_REPLICA_URL: replicaUrl },
  })
  onTestFinished(() => service.stop())
  return service
}

/** How old the data of a list may be, or null when the primary served it. */
async function ageOfList(client: Client): Promise<string | null> {
  const { status, headers } = await client.call('GET', `${PAYMENTS}/customers`)
  expect(status).toBe(200)
  return headers.get('data-age')
}

test.skipIf(isSkipped)(
  'replicas behind pgbouncer in transaction or statement mode are refused in a sentence when the service starts',
  async () => {
    const pair = await startPair()
    for (const mode of ['transaction', 'statement'] as const) {
      const pool = await startPgbouncer(pair.replicaUrl(), mode)
      onTestFinished(() => pool.stop())
      await expect(startWithReplica(pair.primaryUrl(), pool.url)).rejects.toThrow(
        `DATABASE_REPLICA_URL ${PROBLEM}`,
      )
    }
  },
)

test.skipIf(isSkipped)(
  'a replica that is away when the service starts, and comes as pgbouncer in transaction mode, is never asked',
  async () => {
    const [pair, port] = [await startPair(), await freePort()]
    const service = await startWithReplica(
      pair.primaryUrl(),
      `postgres://quittance@127.0.0.1:${port}/quittance`,
    )
    expect(service.output()).toContain(`replica 127.0.0.1:${port} cannot be asked`)
    const pool = await startPgbouncer(pair.replicaUrl(), 'transaction', port)
    onTestFinished(() => pool.stop())
    await expect.poll(() => service.output()).toContain(`DATABASE_REPLICA_URL ${PROBLEM}`)
    const client = new Client(service.sandbox)
    for (let tries = 0; tries < 20; tries++) {
      expect(await ageOfList(client)).toBeNull()
      await sleep(100)
    }
    expect(service.output().split(PROBLEM)).toHaveLength(2)
  },
)

test.skipIf(isSkipped)('a replica behind pgbouncer in session mode serves lists', async () => {
  const pair = await startPair()
  const pool = await startPgbouncer(pair.replicaUrl(), 'session')
  onTestFinished(() => pool.stop())
  const service = await startWithReplica(pair.primaryUrl(), pool.url)
  await expect.poll(() => ageOfList(new Client(service.sandbox))).not.toBeNull()
})

import pg from 'pg'
import { expect, test } from 'vitest'
import { cleanUp } from '#platform/testing/clean-up'
import { startScenario } from './harness/scenario.ts'

const { client, service, databaseUrl } = await startScenario()
const database = new pg.Client({ connectionString: databaseUrl })
await database.connect()
cleanUp(() => database.end())

async function readiness(): Promise<number> {
  return (await fetch(`${service.sandbox.base_url}/readyz`)).status
}

// Proves reference/operations#health.
test('a process whose writes find the disk full is not ready, and is ready again once they work', async () => {
  const { number } = await client.createOrder()
  expect(await readiness()).toBe(200)
  // The error of a PostgreSQL whose disk is full, for new orders only.
  await database.query(`
    create function full_disk() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$;
    create trigger full_disk before insert on orders for each row execute function full_disk()`)
  const order = { reference_number: 'no-space', currency: 'HKD', initial_total: 1 }
  const refused = await client.call('POST', '/svc/payment/api/v1/openapi/orders', { order })
  expect(refused.status).toBe(503)
  expect(await readiness()).toBe(503)
  await client.checkOrder(number)
  expect(await readiness()).toBe(503)
  await database.query('drop trigger full_disk on orders')
  await client.ok('POST', '/svc/payment/api/v1/openapi/orders', { order })
  await expect.poll(readiness, { timeout: 60_000, interval: 500 }).toBe(200)
})

import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { freePort } from '#platform/embedded-postgres/free-port'
import { createMigratedDatabase } from '#platform/testing/database'
import { onServer } from '#platform/testing/postgres'
import { runInProcess } from '../src/commands/testing/run-in-process.ts'
import { Client } from './harness/client.ts'
import { startService } from './harness/service.ts'

const BILLING = '/svc/billing/api/v1/openapi'
const CALLERS = 64
const PLANS = 10
const KILLS = 3
const BETWEEN_KILLS = 30
const SOON = { timeout: 60_000, interval: 20 }

const dataDir = await mkdtemp(join(tmpdir(), 'quittance-numbers-'))
const databaseUrl = await createMigratedDatabase()
const env = { DATABASE_URL: databaseUrl, RATE_LIMIT: '0' }
const port = await freePort()
const start = () => startService({ dataDir, port, env })
let service = await start()
afterAll(async () => {
  await service.stop()
  await rm(dataDir, { recursive: true, force: true })
})

// Proves reference/billing-invoices#numbers.
test('three kills, 64 callers of whom a third is refused and a billing run leave no gap and no double', async () => {
  const client = new Client(service.sandbox)
  const address = { line1: 'Gasse 1', postal_code: '10115', city: 'Berlin', country: 'DE' }
  const { legal_entity: entity } = await client.ok('POST', `${BILLING}/legal_entities`, {
    // Without a year, because the clock goes on.
    legal_entity: {
      name: 'Kiln GmbH',
      address,
      registrations: [],
      series: [{ key: 'a', invoice_format: 'N-{SEQ:6}', credit_note_format: 'C-{SEQ:6}' }],
    },
  })
  const { uuid } = await client.createCustomer()
  const terms = { legal_entity_id: entity.id, collection: 'send_invoice', days_until_due: 3_000 }
  const create = (reference: string) =>
    client.call('POST', `${BILLING}/invoices`, {
      invoice: {
        customer_uuid: uuid,
        currency: 'HKD',
        lines: [{ label: 'Set-up', quantity: 1, unit_amount: 100 }],
        reference_id: reference,
        ...terms,
      },
    })
  expect((await create('taken')).status).toBe(200)
  const item = await client.createItem(50)
  const startsAt = (await client.now()).add({ minutes: 10 }).toString()
  const newPlan = () =>
    client.createPlan({
      reference_number: randomUUID(),
      customer_uuid: uuid,
      start_date: startsAt,
      invoicing: { ...terms, tax: 'none' },
      recurring_cycles: [
        {
          recurring_billing_config: 'FREQ=DAILY',
          billing_count: null,
          recurring_items: [{ recurring_item_id: item, quantity: 1 }],
        },
      ],
    })
  await Promise.all(Array.from({ length: PLANS }, newPlan))

  const issued = new Map<string, string>()
  const asked = new Set<string>()
  let refused = 0
  const stop = new AbortController()
  const untilAnswered = async <Reply>(ask: () => Promise<Reply>): Promise<Reply> => {
    for (;;) {
      try {
        return await ask()
      } catch {
        await sleep(500)
      }
    }
  }
  /** A request that a kill interrupted is sent again with the same reference. */
  const createOnce = async (reference: string) => {
    const reply = await create(reference)
    if (reply.status === 200 || reply.status === 409) return reply
    throw new Error(`${reference} got ${reply.status}`)
  }
  const callers = Array.from({ length: CALLERS }, async (_, caller) => {
    for (let n = 0; !stop.signal.aborted; n++) {
      const isRefused = (caller + n) % 3 === 0
      const reference = isRefused ? 'taken' : `c${caller}-${n}`
      if (!isRefused) asked.add(reference)
      const { status, data } = await untilAnswered(() => createOnce(reference))
      if (status === 200) issued.set(reference, data.invoice.number)
      else if (isRefused) refused++
      await sleep(100)
    }
  })
  const billing = (async () => {
    while (!stop.signal.aborted) await untilAnswered(() => client.advanceBy('P1D'))
  })()
  for (let kill = 0; kill < KILLS; kill++) {
    const before = issued.size
    await expect.poll(() => issued.size, SOON).toBeGreaterThan(before + BETWEEN_KILLS)
    await sleep(40 * Math.random())
    await service.stop('SIGKILL')
    // A service with a database of its own does this when it starts.
    await onServer(databaseUrl, (admin) =>
      admin.query('update business_clocks set driver_id = null, driver_leased_until = null'),
    )
    service = await start()
  }
  const last = issued.size
  await expect.poll(() => issued.size, SOON).toBeGreaterThan(last + BETWEEN_KILLS)
  stop.abort()
  await Promise.all([...callers, billing])

  const found = await client.all(`${BILLING}/invoices`, 'invoices')
  expect(found.map(({ number }): string => number).toSorted()).toEqual(
    Array.from({ length: found.length }, (_, index) => `N-${String(index + 1).padStart(6, '0')}`),
  )
  const oneOff = new Map(found.map(({ reference_id: reference, number }) => [reference, number]))
  expect([...asked].filter((reference) => !oneOff.has(reference))).toEqual([])
  expect([...issued].filter(([reference, number]) => oneOff.get(reference) !== number)).toEqual([])
  expect(refused).toBeGreaterThan(KILLS * BETWEEN_KILLS * (1 / 3))
  expect(found.filter(({ plan_id: plan }) => plan !== undefined).length).toBeGreaterThanOrEqual(PLANS)
  const verified = await runInProcess(service.env, ['verify'])
  expect(verified.exitCode, verified.stdout).toBe(0)
}, 300_000)

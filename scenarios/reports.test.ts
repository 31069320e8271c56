import pg from 'pg'
import { expect, test } from 'vitest'
import { startReceiver, replyWith } from '#platform/testing/receiver'
import { startScenario } from './harness/scenario.ts'
import { connectStripe, payAtStripe, startStripeTwin, WEBHOOK_SECRET } from './harness/stripe-twin.ts'

const { client, databaseUrl } = await startScenario({ env: { ALLOW_PRIVATE_WEBHOOKS: '1' } })
const REPORTS = '/svc/report/api/v1/openapi'
const WITHIN = { timeout: 60_000, interval: 200 }

async function setOf(table: 'disputes' | 'report_plans', assignment: string): Promise<void> {
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  await database.query(`update ${table} set ${assignment}`)
  await database.end()
}

const overview = async (query = '') => (await client.ok('GET', `${REPORTS}/overview${query}`)).overview

// Proves reference/reports#days, reference/reports#attention.
test('a dunning plan shows what was recovered, what bills every month, and what needs a person', async () => {
  const item = await client.createItem(80)
  const subscribe = async (card: string) => {
    const { uuid } = await client.createCustomer()
    await client.bindCard(uuid, card, { default: true })
    await client.createPlan({
      customer_uuid: uuid,
      recurring_cycles: [
        {
          billing_count: null,
          recurring_billing_config: 'FREQ=MONTHLY;INTERVAL=2',
          recurring_items: [{ recurring_item_id: item, quantity: 1 }],
        },
      ],
    })
    return uuid
  }
  await subscribe('4000000000000341')
  const recovering = await subscribe('4000000000000341')
  await client.advanceBy('PT1M')
  await client.bindCard(recovering, '4242424242424242', { default: true })
  await client.advanceBy('P3D')
  await expect.poll(async () => (await overview()).today.payments_failed, WITHIN).toBe(0)
  await expect
    .poll(
      async () =>
        (await overview()).days.reduce(
          (sum: number, day: { dunning_recovered_total: number }) => sum + day.dunning_recovered_total,
          0,
        ),
      WITHIN,
    )
    .toBe(80)
  const { days, declines, currencies } = await overview('?days=7&currency=HKD')
  const retried = days.find((day: { dunning_attempted_total: number }) => day.dunning_attempted_total > 0)
  expect(retried).toMatchObject({
    dunning_attempted_total: 160,
    dunning_recovered_total: 80,
    recurring_paid_total: 80,
    paid_total: 80,
    success_rate: 0.5,
  })
  expect([declines, currencies]).toEqual([[{ decline_code: 'card_declined', count: 3, total: 240 }], ['HKD']])
  await expect
    .poll(async () => (await overview()).recurring, WITHIN)
    .toMatchObject({ active_plans: 2, monthly_total: 80 })
  await client.advanceBy('P3D')
  const { attention } = await client.ok('GET', `${REPORTS}/attention`)
  expect(attention).toMatchObject([
    {
      kind: 'uncollectible_plan',
      count: 1,
      items: [{ title: 'The plan Monthly is uncollectible.', subject: 'Monthly' }],
    },
  ])
})

test('an overview counts the plans before it responds, however old the last count is', async () => {
  const item = await client.createItem(99)
  const subscribe = async () => {
    const { uuid } = await client.createCustomer()
    await client.bindCard(uuid, '4242424242424242', { default: true })
    const recurring_items = [{ recurring_item_id: item, quantity: 1 }]
    await client.createPlan({
      customer_uuid: uuid,
      recurring_cycles: [{ billing_count: null, recurring_billing_config: 'FREQ=MONTHLY', recurring_items }],
    })
  }
  const yesterday = "counted_at = counted_at - interval '1 day'"
  await setOf('report_plans', yesterday)
  const { recurring: before } = await overview()
  await subscribe()
  await subscribe()
  let after = before
  const added = async () => {
    await setOf('report_plans', yesterday)
    after = (await overview()).recurring
    return [after.active_plans - before.active_plans, after.monthly_total - before.monthly_total]
  }
  // A plan is active once its first period is billed.
  await expect.poll(added, WITHIN).toEqual([2, 198])
  expect(Temporal.Instant.compare(after.counted_at, before.counted_at)).toBe(1)
})

test('a dispute that is due and an endpoint that is gone need a person', async () => {
  const receiver = await startReceiver()
  receiver.reply = replyWith(410)
  const { endpoint } = await client.ok('POST', '/svc/event/api/v1/openapi/endpoints', {
    endpoint: { url: receiver.url },
  })
  const twin = await startStripeTwin()
  const account = await connectStripe(client, twin.url)
  await fetch(`${twin.url}/_twin/notices`, {
    method: 'PUT',
    body: JSON.stringify({ url: account.webhook_url, secret: WEBHOOK_SECRET }),
  })
  await payAtStripe(client, account.id, 'pm_card_createDispute')
  const found = async () => {
    // The evidence is due in 8 days, and each notice of the acquirer says so again.
    await setOf('disputes', "respond_by = now() + interval '144 hours'")
    const { attention } = await client.ok('GET', `${REPORTS}/attention`)
    return attention as { kind: string; count: number; items: { id: string; title: string }[] }[]
  }
  await expect.poll(found, WITHIN).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        kind: 'dispute_due',
        count: 1,
        items: [expect.objectContaining({ title: expect.stringContaining('100.00 HKD') as string })],
      }),
      expect.objectContaining({
        kind: 'failing_webhook',
        items: [expect.objectContaining({ id: endpoint.id })],
      }),
    ]),
  )
  await client.ok('DELETE', `/svc/event/api/v1/openapi/endpoints/${endpoint.id}`)
  expect((await found()).map(({ kind }) => kind)).not.toContain('failing_webhook')
})

test('exhausted deliveries need nobody once their endpoint is deleted', async () => {
  const receiver = await startReceiver(replyWith(503, { 'retry-after': '3600' }))
  const { endpoint } = await client.ok('POST', '/svc/event/api/v1/openapi/endpoints', {
    endpoint: { url: receiver.url },
  })
  await client.createOrder()
  await expect.poll(() => receiver.received.length, WITHIN).toBeGreaterThan(0)
  await client.ok('DELETE', `/svc/event/api/v1/openapi/endpoints/${endpoint.id}`)
  const exhausted = async () => {
    const filter = encodeURIComponent(`endpoint_id = ${endpoint.id} AND state = exhausted`)
    return (await client.ok('GET', `/svc/event/api/v1/openapi/deliveries?filter=${filter}`)).deliveries
  }
  await expect.poll(exhausted, WITHIN).not.toEqual([])
  const { attention } = await client.ok('GET', `${REPORTS}/attention`)
  const items = (attention as { items: { id: string }[] }[]).flatMap((entry) => entry.items)
  expect(items.map(({ id }) => id)).not.toContain(endpoint.id)
})

test('an unknown currency is refused', async () => {
  const refused = await client.call('GET', `${REPORTS}/overview?currency=XYZ`)
  expect([refused.status, refused.data.error.param]).toEqual([400, 'currency'])
})

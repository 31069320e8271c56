import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { startReceiver } from '#platform/testing/receiver'
import { monthly, PAYMENTS } from './harness/client.ts'
import { startScenario } from './harness/scenario.ts'

const { client } = await startScenario({ env: { ALLOW_PRIVATE_WEBHOOKS: '1' } })

const CARDS = '/svc/ts/api/v1/openapi/cards'
const PLANS = `${PAYMENTS}/recurring_payments/plan`
const GIVEN = { campaign: 'spring 2031', 'shop id': '7', 客戶: '陳大文 😀', dropped: '', gone: null }
const KEPT = { campaign: 'spring 2031', 'shop id': '7', 客戶: '陳大文 😀' }
const EDIT = { 'shop id': '8', 客戶: null, desk: '2' }
const EDITED = { campaign: 'spring 2031', 'shop id': '8', desk: '2' }
const MANY = Object.fromEntries(Array.from({ length: 48 }, (_, index) => [`key ${index}`, 'x']))

interface Subject {
  readonly create: (metadata?: object) => Promise<object & { metadata?: object }>
  readonly edit: (metadata?: object | null) => ReturnType<typeof client.call>
  readonly read: () => Promise<{ metadata?: object }>
}

function customers(): Subject {
  let customer = { uuid: '', reference_number: '' }
  return {
    create: async (metadata) => {
      customer = await client.createCustomer({ metadata })
      return customer
    },
    edit: (metadata) =>
      client.call('PUT', `${PAYMENTS}/customers/${customer.uuid}`, { name: 'Chan', phone: '9', metadata }),
    read: async () =>
      (await client.ok('GET', `${PAYMENTS}/customers/ref/${customer.reference_number}`)).customer,
  }
}

function plans(): Subject {
  let id = ''
  const headers = { 'X-P-Customer-Code': client.sandbox.customer_code }
  return {
    create: async (metadata) => {
      const plan = await newPlan({ metadata, start_date: '2040-01-01' })
      id = plan.id
      return plan
    },
    edit: (metadata) => client.call('PUT', `${PLANS}/${id}`, { plan: { metadata } }, { headers }),
    read: () => client.getPlan(id),
  }
}

function cards(): Subject {
  let id = ''
  return {
    create: async (metadata) => {
      const { card } = await client.ok('POST', CARDS, { card: { ...newCard(), metadata } })
      id = card.id
      return card
    },
    edit: (metadata) => client.call('PUT', `${CARDS}/${id}`, { card: { metadata } }),
    read: async () => (await client.ok('GET', `${CARDS}/${id}`)).card,
  }
}

function newCard() {
  return { reference_id: randomUUID(), type: 'virtual', settlement_currency: 'HKD', mode: 'B2C' }
}

async function newPlan(members: Record<string, unknown> = {}) {
  const { uuid } = await client.createCustomer()
  await client.bindCard(uuid, '4242424242424242')
  return client.createPlan({
    customer_uuid: uuid,
    recurring_cycles: monthly(await client.createItem(100)),
    ...members,
  })
}

// Proves reference/conventions#metadata.
test.each([
  ['customer', customers],
  ['plan', plans],
  ['card', cards],
])('metadata of a %s is stored, edited key by key, and refused beyond 50 keys', async (_name, subjectOf) => {
  const subject = subjectOf()
  expect((await subject.create(GIVEN)).metadata).toEqual(KEPT)
  expect((await subject.read()).metadata).toEqual(KEPT)
  expect((await subject.edit(undefined)).status).toBe(200)
  expect((await subject.read()).metadata).toEqual(KEPT)
  expect((await subject.edit(EDIT)).status).toBe(200)
  expect((await subject.read()).metadata).toEqual(EDITED)
  const refused = await subject.edit(MANY)
  expect(refused).toMatchObject({ status: 422, data: { error: { reason: 'too_many_metadata_keys' } } })
  expect(refused.data.error.param).toMatch(/metadata$/)
  expect((await subject.read()).metadata).toEqual(EDITED)
  expect((await subject.edit(null)).status).toBe(400)
  await subject.edit({ campaign: '', 'shop id': '', desk: '' })
  expect(await subject.read()).not.toHaveProperty('metadata')
  expect(await subject.create()).not.toHaveProperty('metadata')
})

test('metadata of an order is in its responses, its list, and every webhook of it', async () => {
  const { url, received } = await startReceiver()
  const { uuid } = await client.createCustomer()
  const { token } = await client.bindCard(uuid, '4242424242424242')
  const order = await client.createOrder({ metadata: GIVEN, notify_url: url, customer_uuid: uuid })
  expect(order.metadata).toEqual(KEPT)
  expect((await client.pay(order.number, token)).data.order.metadata).toEqual(KEPT)
  expect((await client.checkOrder(order.number)).metadata).toEqual(KEPT)
  const [listed] = await client.orders(`number = "${order.number}"`)
  expect(listed.metadata).toEqual(KEPT)
  await vi.waitFor(() => expect(received).toHaveLength(3), { timeout: 60_000, interval: 50 })
  for (const { body } of received) expect(body.data['order']).toMatchObject({ metadata: KEPT })
  expect(await client.createOrder()).not.toHaveProperty('metadata')
  expect(
    await client.call('POST', `${PAYMENTS}/orders`, {
      order: { reference_number: randomUUID(), currency: 'HKD', initial_total: 1, metadata: { k: 7 } },
    }),
  ).toMatchObject({ status: 400, data: { error: { param: 'order.metadata.k' } } })
})

test('metadata of a card is in its responses and events', async () => {
  const { card } = await client.ok('POST', CARDS, { card: { ...newCard(), metadata: GIVEN } })
  const link = { card_reference_id: card.reference_id, p_user_id: 'user-1' }
  expect(await client.ok('POST', `${CARDS}/link`, link)).toMatchObject({ metadata: KEPT })
  expect(await client.events(card.id)).toMatchObject([
    { type: 'card.linked', data: { card: { metadata: KEPT } } },
  ])
})

// Proves reference/recurring#metadata, reference/orders#creating.
test('orders that are billed together keep what their plan carried then as plan_metadata', async () => {
  const { url, received } = await startReceiver()
  const carrying = await Promise.all(
    [1, 2, 3].map((n) => newPlan({ metadata: { n: `${n}` }, callback_url: url })),
  )
  const bare = await Promise.all([1, 2, 3].map(() => newPlan()))
  const newest = async (planId: string) =>
    client.checkOrder((await client.getPlan(planId)).current_order.order_number)
  await client.advanceBy('P1D')
  const [first] = carrying
  await client.ok(
    'PUT',
    `${PLANS}/${first.id}`,
    { plan: { metadata: { n: 'changed' } } },
    { headers: { 'X-P-Customer-Code': client.sandbox.customer_code } },
  )
  expect((await newest(first.id)).plan_metadata).toEqual({ n: '1' })
  await client.advanceBy('P1M')
  const orders = await Promise.all(carrying.map(({ id }) => newest(id)))
  expect(orders.map((order) => [order.state, order.plan_metadata, order.metadata])).toEqual(
    ['changed', '2', '3'].map((n) => ['completed', { n }, undefined]),
  )
  for (const { id } of bare) expect(await newest(id)).not.toHaveProperty('plan_metadata')
  const messages = () =>
    received.filter(({ body }) => body.type === 'order.paid').map(({ body }) => body.data['order'])
  await vi.waitFor(() => expect(messages()).toHaveLength(6), { timeout: 60_000, interval: 50 })
  expect(messages()).toEqual(
    expect.arrayContaining(
      orders.map(({ number, plan_metadata }) => expect.objectContaining({ number, plan_metadata })),
    ),
  )
})

import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { expect, test, vi } from 'vitest'
import { type Received, startReceiver } from '#platform/testing/receiver'
import { DocumentedShapes, type EventMessage } from './harness/documented-shape.ts'
import { startScenario } from './harness/scenario.ts'
import { monthly } from './harness/client.ts'

const { client } = await startScenario({ env: { ALLOW_PRIVATE_WEBHOOKS: '1' } })
const shapes = await DocumentedShapes.load(client.sandbox.base_url)

interface VerifiedMessage extends EventMessage {
  readonly data: Record<string, Record<string, unknown>>
}

/** The received messages, after their signatures were verified with the business's secret. */
function verified(received: readonly Received[]): VerifiedMessage[] {
  const webhook = new Webhook(client.sandbox.webhook_secret)
  return received.map(({ headers, text }) => webhook.verify(text, headers) as VerifiedMessage)
}

/** Creates a plan of one item that starts now. */
async function subscribe(callbackUrl: string, card: string | null, price: number) {
  const customer = await client.createCustomer()
  if (card !== null) await client.bindCard(customer.uuid, card)
  const item = await client.createItem(price)
  return client.createPlan({
    reference_number: `plan-${randomUUID()}`,
    customer_uuid: customer.uuid,
    callback_url: callbackUrl,
    recurring_cycles: monthly(item),
  })
}

// Proves reference/events#types, reference/events#sequence, reference/events#payloads, reference/events#signatures.
test.each([
  ['is paid', '4242424242424242', 100, ['order.created', 'transaction.succeeded', 'order.paid']],
  ['cannot be charged because there is no card', null, 100, ['order.created', 'transaction.failed']],
  ['costs nothing', '4242424242424242', 0, ['order.created', 'order.paid']],
])(
  "a plan's callback_url gets every event of an order that %s, from its creation on",
  async (_case, card, price, expected) => {
    const { url, received } = await startReceiver()
    const plan = await subscribe(url, card, price)
    await vi.waitFor(
      () => {
        const ofOrder = verified(received).filter(({ data }) => 'order' in data)
        expect(ofOrder.map(({ type }) => type)).toEqual(expected)
        expect(ofOrder.map(({ sequence }) => sequence)).toEqual(expected.map((_, index) => index + 1))
        for (const { data, object_id: objectId } of ofOrder) expect(objectId).toBe(data['order']?.['number'])
      },
      { timeout: 60_000, interval: 50 },
    )
    const ofPlan = verified(received).filter(({ data }) => 'plan' in data)
    expect(ofPlan.slice(0, 2).map(({ type }) => type)).toEqual(['plan.created', 'cycle.activated'])
    expect(ofPlan[0]).toMatchObject({ data: { plan: { id: plan.id } }, object_id: plan.id })
    for (const message of verified(received)) expect(shapes.eventMismatch(message)).toBeUndefined()
  },
)

// Proves reference/events#payloads.
test('a message that would exceed 20 kB is truncated to identifiers, as openapi.json documents', async () => {
  const { url, received } = await startReceiver()
  const order = await client.createOrder({
    notify_url: url,
    line_items: Array.from({ length: 100 }, (_, index) => ({
      purchasable_type: 'Listing',
      label: `${'item '.repeat(40)}${index}`,
      price: 1,
      quantity: 1,
    })),
  })
  await vi.waitFor(() => expect(received).toHaveLength(1), { timeout: 60_000, interval: 50 })
  const [message] = verified(received)
  const { number, reference_number: referenceNumber } = order
  expect(message).toMatchObject({ object_id: number, truncated: true })
  expect(message?.data).toEqual({ order: { number, reference_number: referenceNumber } })
  expect(message && shapes.eventMismatch(message)).toBeUndefined()
})

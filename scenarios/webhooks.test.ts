import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { expect, test, vi } from 'vitest'
import { type Received, startReceiver } from '#platform/testing/receiver'
import { DocumentedShapes, type Message } from './harness/documented-shape.ts'
import { startScenario } from './harness/scenario.ts'

const { client } = await startScenario({ env: { ALLOW_PRIVATE_WEBHOOKS: '1' } })
const shapes = await DocumentedShapes.of(client.sandbox.base_url)

interface Told extends Message {
  readonly data: Record<string, Record<string, unknown>>
}

/** What was received, each checked against the business's secret. */
function verified(received: readonly Received[]): Told[] {
  const webhook = new Webhook(client.sandbox.webhook_secret)
  return received.map(({ headers, text }) => webhook.verify(text, headers) as Told)
}

/** A plan of one item, starting now, that tells `callbackUrl`. */
async function subscribe(callbackUrl: string, card: string | null, price: number) {
  const customer = await client.createCustomer()
  if (card !== null) await client.bindCard(customer.uuid, card)
  const item = await client.createItem(price)
  return client.createPlan({
    reference_number: `plan-${randomUUID()}`,
    customer_uuid: customer.uuid,
    callback_url: callbackUrl,
    recurring_cycles: [
      {
        billing_count: null,
        recurring_billing_config: 'FREQ=MONTHLY',
        recurring_items: [{ recurring_item_id: item, quantity: 1 }],
      },
    ],
  })
}

test.each([
  ['is paid', '4242424242424242', 100, ['order.created', 'transaction.succeeded', 'order.paid']],
  ['cannot be charged for want of a card', null, 100, ['order.created', 'transaction.failed']],
  ['costs nothing', '4242424242424242', 0, ['order.created', 'order.paid']],
])(
  "a plan's callback_url is told everything of an order that %s, from its making on",
  async (_what, card, price, expected) => {
    const { url, received } = await startReceiver()
    const plan = await subscribe(url, card, price)
    await vi.waitFor(
      () => {
        const ofOrder = verified(received).filter(({ data }) => 'order' in data)
        expect(ofOrder.map(({ type }) => type)).toEqual(expected)
        expect(ofOrder.map(({ sequence }) => sequence)).toEqual(expected.map((_, index) => index + 1))
      },
      { timeout: 10_000, interval: 50 },
    )
    const ofPlan = verified(received).filter(({ data }) => 'plan' in data)
    expect(ofPlan.slice(0, 2).map(({ type }) => type)).toEqual(['plan.created', 'cycle.activated'])
    expect(ofPlan[0]?.data['plan']).toMatchObject({ id: plan.id })
    for (const told of verified(received)) expect(shapes.messageDeparture(told)).toBeUndefined()
  },
)

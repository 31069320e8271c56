import { expect, test } from 'vitest'
import { until } from '#platform/testing/until'
import { startScenario } from './harness/scenario.ts'

const B = '/svc/billing/api/v1/openapi'
const PLANS = '/svc/payment/api/v1/openapi/recurring_payments/plan'
const GOOD = '4242424242424242'
const DECLINING = '4000000000000341'
const KINDS = [
  'receipt',
  'invoice',
  'credit_note',
  'payment_failed',
  'payment_reminder',
  'plan_canceled',
  'trial_ending',
  'renewal_ahead',
  'card_expiring',
]

const { client } = await startScenario()
const { legal_entity: entity } = await client.ok('POST', `${B}/legal_entities`, {
  legal_entity: {
    name: 'Kiln GmbH',
    address: { line1: 'Gasse 1', postal_code: '10115', city: 'Berlin', country: 'DE' },
    registrations: [],
  },
})

interface Message {
  readonly kind: string
  readonly state: string
  readonly object_id: string
  readonly attachments: readonly { readonly content_type: string; readonly size: number }[]
}

const settings = (members: object) => client.ok('PUT', `${B}/message_settings`, { message_settings: members })

async function messagesOf(customerUuid: string): Promise<Message[]> {
  return client.all(`${B}/messages`, 'messages', { filter: `customer.uuid = "${customerUuid}"` })
}

async function kindsOf(customerUuid: string): Promise<string[]> {
  return (await messagesOf(customerUuid)).map(({ kind }) => kind).toSorted()
}

let customers = 0
async function newCustomer() {
  return client.createCustomer({ email: `payer${++customers}@example.com` })
}

async function newPlan(customerUuid: string, members: Record<string, unknown> = {}, rhythm = 'FREQ=MONTHLY') {
  return client.createPlan({
    customer_uuid: customerUuid,
    name: 'Gold',
    recurring_cycles: [
      {
        billing_count: null,
        recurring_billing_config: rhythm,
        recurring_items: [{ recurring_item_id: await client.createItem(100), quantity: 1 }],
      },
    ],
    ...members,
  })
}

async function newInvoice(customerUuid: string, collection: 'automatic' | 'send_invoice') {
  const { invoice } = await client.ok('POST', `${B}/invoices`, {
    invoice: {
      customer_uuid: customerUuid,
      currency: 'HKD',
      lines: [{ label: 'Set-up', quantity: 1, unit_amount: 100 }],
      legal_entity_id: entity.id,
      collection,
    },
  })
  return invoice
}

// Proves reference/messages#kinds.
test('an invoice goes out at its issue, and beside the receipt where a card pays it at once', async () => {
  await settings({ enabled: KINDS })
  const sent = await newCustomer()
  const invoice = await newInvoice(sent.uuid, 'send_invoice')
  const [message] = await messagesOf(sent.uuid)
  expect(message).toMatchObject({ kind: 'invoice', object_id: invoice.id, state: 'kept' })
  expect(message?.attachments).toMatchObject([{ content_type: 'application/pdf' }])
  expect(message?.attachments[0]?.size).toBeGreaterThan(1_000)
  await client.ok('POST', `${B}/invoices/${invoice.id}/credit_notes`, { credit_note: { reason: 'Wrong' } })
  expect(await kindsOf(sent.uuid)).toEqual(['credit_note', 'invoice'])

  const charged = await newCustomer()
  await client.bindCard(charged.uuid, GOOD)
  await newInvoice(charged.uuid, 'automatic')
  expect(await kindsOf(charged.uuid)).toEqual(['invoice', 'receipt'])

  await settings({ join_receipt: true })
  const joined = await newCustomer()
  await client.bindCard(joined.uuid, GOOD)
  await newInvoice(joined.uuid, 'automatic')
  const messages = await messagesOf(joined.uuid)
  expect(messages.map(({ kind, attachments }) => [kind, attachments.length])).toEqual([['receipt', 1]])
  await settings({ join_receipt: false })

  const declined = await newCustomer()
  await client.bindCard(declined.uuid, DECLINING)
  await newPlan(declined.uuid, { invoicing: { legal_entity_id: entity.id } })
  await until(async () => (await kindsOf(declined.uuid)).length === 2)
  expect(await kindsOf(declined.uuid)).toEqual(['invoice', 'payment_failed'])
})

test('the trial, the renewal and the end of a plan are announced once each', async () => {
  const customer = await newCustomer()
  await client.bindCard(customer.uuid, GOOD)
  const plan = await newPlan(customer.uuid, { trial: { days: 10 } }, 'FREQ=YEARLY')
  await client.advanceBy('P8D')
  expect(await kindsOf(customer.uuid)).toEqual(['trial_ending'])
  await client.advanceBy('P5D')
  await client.advanceBy('P350D')
  expect(await kindsOf(customer.uuid)).toEqual(['receipt', 'renewal_ahead', 'trial_ending'])
  await client.ok('POST', `${PLANS}/${plan.id}/cancel`, { at_period_end: true })
  await client.advanceBy('P30D')
  const ends = (await messagesOf(customer.uuid)).filter(({ kind }) => kind === 'plan_canceled')
  expect(ends.map(({ object_id: id }) => id)).toEqual([plan.id, plan.id])
})

test('an unpaid order of a policy is reminded of on each of its days', async () => {
  const { dunning_policy: policy } = await client.ok('POST', `${B}/dunning_policies`, {
    dunning_policy: { name: 'Mild', steps: [{ after_days: 20 }], reminders: [2, 5] },
  })
  const customer = await newCustomer()
  await client.bindCard(customer.uuid, DECLINING)
  await newPlan(customer.uuid, { dunning_policy_id: policy.id })
  await client.advanceBy('P10D')
  expect(await kindsOf(customer.uuid)).toEqual(['payment_failed', 'payment_reminder', 'payment_reminder'])
})

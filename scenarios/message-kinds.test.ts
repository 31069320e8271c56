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
  readonly id: string
  readonly kind: string
  readonly state: string
  readonly subject: string
  readonly text: string
  readonly object_id: string
  readonly attachments: readonly {
    readonly name: string
    readonly content_type: string
    readonly size: number
  }[]
}

const settings = (members: object) => client.ok('PUT', `${B}/message_settings`, { message_settings: members })

await settings({ enabled: KINDS })

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
  const paid = (await messagesOf(charged.uuid)).find(({ kind }) => kind === 'invoice')
  expect(paid?.text).not.toContain('Please pay')

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
  const oneOff = await newCustomer()
  const { token } = await client.bindCard(oneOff.uuid, DECLINING)
  const { order_number: number } = await newInvoice(oneOff.uuid, 'automatic')
  expect(await kindsOf(oneOff.uuid)).toEqual(['invoice', 'payment_failed'])
  await client.pay(number, token)
  expect(await kindsOf(oneOff.uuid)).toEqual(['invoice', 'payment_failed'])
})

test('a receipt names what was paid, also where a part was credited before', async () => {
  const { uuid } = await newCustomer()
  const { token } = await client.bindCard(uuid, GOOD)
  const invoice = await newInvoice(uuid, 'send_invoice')
  await client.ok('POST', `${B}/invoices/${invoice.id}/credit_notes`, {
    credit_note: { reason: 'Half', amount: 40 },
  })
  await client.pay(invoice.order_number, token)
  const receipt = (await messagesOf(uuid)).find(({ kind }) => kind === 'receipt')
  expect(receipt?.subject).toContain('HK$60.00')
})

test('payers know the order of an invoice by the number of the invoice, in mails and on its page', async () => {
  const { uuid } = await newCustomer()
  await client.bindCard(uuid, GOOD)
  const { id, number, order_number } = await newInvoice(uuid, 'automatic')
  const messages = await messagesOf(uuid)
  expect(messages.map(({ kind }) => kind).toSorted()).toEqual(['invoice', 'receipt'])
  for (const { text } of messages) {
    expect(text).toContain(number)
    expect(text).not.toContain(id)
  }
  const [, link = ''] = /(http\S+\/pay\/\S+)/.exec(messages.map(({ text }) => text).join('\n')) ?? []
  const page = await (await fetch(link)).text()
  expect(page).toContain(number)
  expect(page).not.toContain(id)
  const { order } = await client.ok('POST', '/svc/payment/api/v1/openapi/orders/check', {
    order: { number: order_number },
  })
  expect(order.reference_number).toBe(id)
})

test('the trial, the renewal and the end of a plan are announced once each', async () => {
  const customer = await newCustomer()
  await client.bindCard(customer.uuid, GOOD)
  const plan = await newPlan(customer.uuid, { trial: { days: 10 } }, 'FREQ=YEARLY')
  await client.advanceBy('P8D')
  expect(await kindsOf(customer.uuid)).toEqual(['trial_ending'])
  const [ending] = await messagesOf(customer.uuid)
  expect(ending?.text).toContain('From then on it costs HK$100.00.')
  expect(ending?.text).toContain('Visa •••• 4242')
  await client.advanceBy('P5D')
  await client.advanceBy('P350D')
  expect(await kindsOf(customer.uuid)).toEqual(['receipt', 'renewal_ahead', 'trial_ending'])
  const renewal = (await messagesOf(customer.uuid)).find(({ kind }) => kind === 'renewal_ahead')
  expect(renewal?.text).toContain('The next period costs HK$100.00.')
  await client.ok('POST', `${PLANS}/${plan.id}/cancel`, { at_period_end: true })
  await client.advanceBy('P30D')
  const ends = (await messagesOf(customer.uuid)).filter(({ kind }) => kind === 'plan_canceled')
  expect(ends.map(({ object_id: id }) => id)).toEqual([plan.id, plan.id])
})

test('a long period is announced that follows shorter ones, and none that a reactivation begins', async () => {
  const customer = await newCustomer()
  await client.bindCard(customer.uuid, GOOD)
  const items = [{ recurring_item_id: await client.createItem(100), quantity: 1 }]
  const { id } = await newPlan(customer.uuid, {
    recurring_cycles: [
      { billing_count: 1, recurring_billing_config: 'FREQ=MONTHLY', recurring_items: items },
      { billing_count: null, recurring_billing_config: 'FREQ=YEARLY', recurring_items: items },
    ],
  })
  const announced = async () =>
    (await kindsOf(customer.uuid)).filter((kind) => kind === 'renewal_ahead').length
  await client.advanceBy('P20D')
  expect(await announced()).toBe(1)
  await client.advanceBy('P20D')
  await client.ok('POST', `${PLANS}/${id}/cancel`)
  await client.ok('POST', `${PLANS}/${id}/reactivate`)
  await client.advanceBy('P1D')
  expect(await announced()).toBe(1)
  await client.advanceBy('P355D')
  expect(await announced()).toBe(2)
})

test.each([
  ['before its announcement is due', 'PT1H', 'P13D'],
  ['after that', 'P17D', 'PT1H'],
] as const)('a change to a long rhythm that is scheduled %s is announced', async (_, before, after) => {
  const customer = await newCustomer()
  await client.bindCard(customer.uuid, GOOD)
  const plan = await newPlan(customer.uuid)
  const items = [{ recurring_item_id: await client.createItem(990), quantity: 1 }]
  const change = { recurring_items: items, recurring_billing_config: 'FREQ=YEARLY', at: 'period_end' }
  const renewals = async () =>
    (await messagesOf(customer.uuid)).filter(({ kind }) => kind === 'renewal_ahead')
  await client.advanceBy('P5D')
  await client.ok('POST', `${PLANS}/${plan.id}/change`, { change })
  await client.ok('DELETE', `${PLANS}/${plan.id}/change`)
  await client.advanceBy(before)
  expect(await renewals()).toEqual([])
  await client.ok('POST', `${PLANS}/${plan.id}/change`, { change })
  await client.advanceBy(after)
  const [renewal, ...others] = await renewals()
  expect(renewal?.text).toContain('The next period costs HK$990.00.')
  expect(others).toEqual([])
})

test('a cancellation that is removed and asked for again is confirmed again', async () => {
  const customer = await newCustomer()
  await client.bindCard(customer.uuid, GOOD)
  const plan = await newPlan(customer.uuid)
  await until(async () => (await kindsOf(customer.uuid)).length === 1)
  const cancel = () => client.ok('POST', `${PLANS}/${plan.id}/cancel`, { at_period_end: true })
  await cancel()
  await client.ok('POST', `${PLANS}/${plan.id}/uncancel`)
  await cancel()
  expect(await kindsOf(customer.uuid)).toEqual(['plan_canceled', 'plan_canceled', 'receipt'])
})

test('an unpaid order of a policy is reminded of on each of its days', async () => {
  const { dunning_policy: policy } = await client.ok('POST', `${B}/dunning_policies`, {
    dunning_policy: { name: 'Mild', steps: [{ after_days: 20 }], reminders: [2, 5] },
  })
  const customer = await newCustomer()
  await client.bindCard(customer.uuid, DECLINING)
  await newPlan(customer.uuid, {
    dunning_policy_id: policy.id,
    invoicing: { legal_entity_id: entity.id },
  })
  await client.advanceBy('P10D')
  expect(await kindsOf(customer.uuid)).toEqual([
    'invoice',
    'payment_failed',
    'payment_reminder',
    'payment_reminder',
  ])
  const reminders = (await messagesOf(customer.uuid)).filter(({ kind }) => kind === 'payment_reminder')
  expect(reminders.map(({ attachments }) => attachments.length)).toEqual([1, 1])
})

test('an order whose plan gets a policy later is reminded of on the days that are left', async () => {
  const { dunning_policy: policy } = await client.ok('POST', `${B}/dunning_policies`, {
    dunning_policy: { name: 'Late', steps: [{ after_days: 30 }], reminders: [2, 5, 12] },
  })
  const customer = await newCustomer()
  await client.bindCard(customer.uuid, DECLINING)
  const plan = await newPlan(customer.uuid, { payment_retry_count: 2, payment_retry_day_period: 30 })
  await client.advanceBy('P8D')
  await client.ok(
    'PUT',
    `${PLANS}/${plan.id}`,
    { plan: { dunning_policy_id: policy.id } },
    { headers: { 'x-p-customer-code': client.sandbox.customer_code } },
  )
  const timeline = () => client.ok('GET', `${PLANS}/${plan.id}/timeline`)
  expect((await timeline()).timeline.next).toContainEqual(
    expect.objectContaining({ kind: 'message.payment_reminder', reason_code: 'payment_reminded' }),
  )
  await client.advanceBy('P2D')
  expect(await kindsOf(customer.uuid)).toEqual(['payment_failed'])
  await client.advanceBy('P3D')
  expect(await kindsOf(customer.uuid)).toEqual(['payment_failed', 'payment_reminder'])
  expect((await timeline()).timeline.next.map(({ kind }: { kind: string }) => kind)).not.toContain(
    'message.payment_reminder',
  )
})

// Proves reference/timelines#next.
test('the timeline of a plan says when its renewal will be announced', async () => {
  const customer = await newCustomer()
  await client.bindCard(customer.uuid, GOOD)
  const plan = await newPlan(customer.uuid, {}, 'FREQ=YEARLY')
  await until(async () => (await kindsOf(customer.uuid)).length === 1)
  const { timeline } = await client.ok('GET', `${PLANS}/${plan.id}/timeline`)
  const renews = Temporal.Instant.from((await client.getPlan(plan.id)).next_execute_time)
  expect(timeline.next).toContainEqual(
    expect.objectContaining({
      kind: 'message.renewal_ahead',
      object_id: plan.id,
      at: expect.stringContaining(
        renews
          .subtract({ hours: 24 * 14 })
          .toString()
          .slice(0, 16),
      ) as string,
    }),
  )
})

test('renewals of plans that began before are announced each time the kind is turned on', async () => {
  const customer = await newCustomer()
  await client.bindCard(customer.uuid, GOOD)
  for (let round = 0; round < 12; round++) {
    await settings({ enabled: [] })
    const plan = await newPlan(customer.uuid, {}, 'FREQ=YEARLY')
    await until(async () => (await client.getPlan(plan.id)).state === 'active')
    await settings({ enabled: ['renewal_ahead'] })
    await until(async () => {
      const { timeline } = await client.ok('GET', `${PLANS}/${plan.id}/timeline`)
      return (timeline.next as { kind: string }[]).some(({ kind }) => kind === 'message.renewal_ahead')
    })
  }
})

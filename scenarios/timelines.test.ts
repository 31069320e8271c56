import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { onServer } from '#platform/testing/postgres'
import { startReceiver } from '#platform/testing/receiver'
import { type ApiReply, monthly, PAYMENTS } from './harness/client.ts'
import { createPerson, signIn } from './harness/people.ts'
import { startScenario } from './harness/scenario.ts'
import { connectStripe, payAtStripe, startStripeTwin, WEBHOOK_SECRET } from './harness/stripe-twin.ts'

const receiver = await startReceiver()
const { client, service, databaseUrl } = await startScenario({
  env: { ALLOW_PRIVATE_WEBHOOKS: '1', ACQUIRER_TIMEOUT_MS: '4000', EVENT_DAYS: '62' },
})

const APPROVES = '4242424242424242'
const DECLINES = '4000000000000341'
const BILLING = '/svc/billing/api/v1/openapi'
const NEVER_ANSWERS = '4000000000000119'
const WITHIN = { timeout: 60_000 }

interface Entry {
  at: string
  kind: string
  text: string
  object_id: string
  event_id: string | null
  request_id: string | null
  transaction_uuid: string | null
  actor_id: string | null
  acquirer: { account_id: string; decline_code: string | null; reference: string | null } | null
  deliveries: { state: string; response_status: number | null }[]
  details: { amount?: number }
}
interface Next {
  at: string | null
  kind: string
  attempt: number | null
  attempts_total: number | null
  amount: number | null
  text: string
  reason_code: string
  actor_id: string | null
  details: { operation?: string; inquiry?: number; decidable_at?: string; voids_at?: string }
}
interface Timeline {
  past: Entry[]
  next: Next[]
  next_cursor: string | null
}

async function timelineOf(path: string, query = ''): Promise<Timeline> {
  const { timeline } = await client.ok('GET', `${PAYMENTS}/${path}/timeline${query}`)
  return timeline
}

/** Deliveries change while pages are read. */
const withoutDeliveries = (entries: readonly Entry[]) =>
  entries.map((entry) => ({ ...entry, deliveries: undefined }))

async function pagesOf(path: string, limit: number) {
  const entries: object[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await timelineOf(path, `?limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`)
    expect(page.past.length).toBeLessThanOrEqual(limit)
    entries.push(...withoutDeliveries(page.past))
    cursor = page.next_cursor
  }
  return entries
}

const kinds = (entries: readonly { kind: string }[]) => entries.map(({ kind }) => kind)

// Proves reference/timelines#past.
test('an order shows its requests, the responses of the acquirer and the deliveries of each event', async () => {
  await client.ok('POST', '/svc/event/api/v1/openapi/endpoints', { endpoint: { url: receiver.url } })
  const { uuid } = await client.createCustomer()
  const declining = await client.bindCard(uuid, DECLINES)
  const approving = await client.bindCard(uuid, APPROVES)
  const { number } = await client.createOrder({ customer_uuid: uuid })
  const declined = await client.pay(number, declining.token)
  const requestId = `req-${randomUUID()}`
  const paid = await client.ok(
    'POST',
    `${PAYMENTS}/orders/pay`,
    { order: { number }, transaction: { type: 'Sales', payment_token: approving.token } },
    { headers: { 'x-request-id': requestId } },
  )
  await client.ok('POST', `${PAYMENTS}/transactions/refund`, {
    transaction: { uuid: paid.transaction.uuid },
    amount: 30,
  })
  const { past } = await timelineOf(`orders/${number}`)
  expect(kinds(past).toReversed()).toEqual([
    'order.created',
    'transaction.sent',
    'transaction.failed',
    'transaction.sent',
    'transaction.succeeded',
    'order.paid',
    'transaction.sent',
    'transaction.succeeded',
    'order.updated',
  ])
  const failed = past.find(({ kind }) => kind === 'transaction.failed')
  expect(failed).toMatchObject({
    transaction_uuid: declined.data.transaction.uuid,
    acquirer: { account_id: 'simulator', decline_code: 'card_declined' },
  })
  expect(failed?.text).toMatch(
    /^The payment of 100\.00 HKD by .* ending in 0341 failed: .*\(card_declined\)\.$/,
  )
  const succeeded = past.filter(({ request_id: id }) => id === requestId)
  expect(kinds(succeeded)).toEqual(['order.paid', 'transaction.succeeded'])
  expect(past.find(({ kind }) => kind === 'order.updated')?.text).toBe(
    'Of the order, 70.00 HKD is paid and 30.00 HKD is not.',
  )
  const paidEvent = async () =>
    (await timelineOf(`orders/${number}`)).past.find(({ kind }) => kind === 'order.paid')
  await expect.poll(async () => (await paidEvent())?.deliveries[0]?.state, WITHIN).toBe('delivered')
  expect((await paidEvent())?.deliveries).toMatchObject([{ state: 'delivered', response_status: 200 }])
  expect(await pagesOf(`orders/${number}`, 2)).toEqual(withoutDeliveries(past))
})

// Proves reference/timelines#next, reference/timelines#reasons.
test('an authorization, a timer and an outcome that nobody knows say what happens next', async () => {
  const { uuid } = await client.createCustomer()
  const [silent, approving] = [
    await client.bindCard(uuid, NEVER_ANSWERS),
    await client.bindCard(uuid, APPROVES),
  ]
  const timed = await client.createOrder({ timeout: { timer: 'PT2H' } })
  const expiry = Temporal.Instant.from(timed.created_at).add({ hours: 2 })
  expect((await timelineOf(`orders/${timed.number}`)).next).toMatchObject([
    { kind: 'order.expires', at: expiry.toString({ fractionalSecondDigits: 3 }), reason_code: 'timer' },
  ])
  const held = await client.createOrder()
  await client.pay(held.number, approving.token, { type: 'Authorization', amount: 40 })
  expect((await timelineOf(`orders/${held.number}`)).next).toMatchObject([
    { kind: 'authorization.expires', amount: 40 },
  ])
  const paid = await client.createOrder()
  await client.pay(paid.number, approving.token)
  expect(kinds((await timelineOf(`orders/${paid.number}`)).next)).toEqual(['payment.settles'])
  const unknown = await client.createOrder()
  expect((await client.pay(unknown.number, silent.token)).status).toBe(504)
  const { next } = await timelineOf(`orders/${unknown.number}`)
  expect(kinds(next)).toEqual(['outcome.inquiry', 'outcome.decision'])
  expect(next[0]?.text).toMatch(
    /asked for the outcome of the payment of 100\.00 HKD, for the \d+(st|nd) time/,
  )
  expect(next).toMatchObject([
    {
      reason_code: 'acquirer_did_not_answer',
      amount: 100,
      details: { operation: 'payment', inquiry: expect.any(Number), decidable_at: next[1]?.at },
    },
    { reason_code: 'acquirer_may_forget', amount: 100, details: { operation: 'payment' } },
  ])
})

// Proves reference/timelines#past, reference/timelines#next, reference/timelines#reasons.
test('a plan shows its attempts, and what follows the last one comes true', async () => {
  const { uuid } = await client.createCustomer()
  await client.bindCard(uuid, DECLINES, { default: true })
  const item = await client.createItem(80)
  const { id } = await client.createPlan({
    customer_uuid: uuid,
    grace_period: 5,
    recurring_cycles: monthly(item),
  })
  const path = `recurring_payments/plan/${id}`
  await client.advanceBy('PT1M')
  const before = await timelineOf(path)
  expect(before.next).toMatchObject([
    { kind: 'attempt.due', attempt: 2, attempts_total: 3, reason_code: 'attempt_failed' },
    { kind: 'plan.becomes_uncollectible', reason_code: 'no_attempt_left_then_voided' },
    { kind: 'plan.bills', amount: 80, reason_code: 'next_period_without_end', details: { period: 2 } },
  ])
  expect(kinds(before.past)).toContain('transaction.failed')
  const number = before.past.find(({ kind }) => kind === 'order.created')?.object_id ?? ''
  expect(kinds((await timelineOf(`orders/${number}`)).next)).toEqual([
    'attempt.due',
    'plan.becomes_uncollectible',
  ])
  const [, exhaustion] = before.next
  await client.advanceTo(exhaustion?.at ?? '')
  const exhausted = await timelineOf(path)
  expect(kinds(exhausted.next)).toEqual(['plan.uncollectible', 'order.voids'])
  expect(exhausted.past.find(({ kind }) => kind === 'cycle.uncollectible')?.at).toBe(exhaustion?.at)
  const [stopped, voided] = exhausted.next
  expect(stopped?.reason_code).toBe('attempts_failed')
  expect(exhaustion?.details.voids_at).toBe(voided?.at)
  const local = Temporal.Instant.from(voided?.at ?? '').toZonedDateTimeISO('Asia/Hong_Kong')
  expect(exhaustion?.text).toContain(`voided on ${local.toPlainDate().toString()}`)
  await client.advanceTo(voided?.at ?? '')
  const after = await timelineOf(path)
  expect(after.next).toMatchObject([
    { text: 'The plan never bills again.', reason_code: 'voided_after_last_attempt' },
  ])
  expect(after.past.find(({ kind }) => kind === 'order.voided')?.at).toBe(voided?.at)
  expect(await pagesOf(path, 3)).toEqual(withoutDeliveries(after.past))
})

test('what a plan will do names who asked for it, whatever others did since', async () => {
  const { uuid } = await client.createCustomer()
  await client.bindCard(uuid, APPROVES, { default: true })
  const item = await client.createItem(80)
  const { id } = await client.createPlan({
    customer_uuid: uuid,
    recurring_cycles: monthly(item),
  })
  await client.advanceBy('PT1M')
  const { api_key: jo, secret } = await client.ok('POST', '/svc/account/api/v1/openapi/api_keys', {
    api_key: { name: 'Jo', scopes: ['recurring:read', 'recurring:write'] },
  })
  const byJo = (path: string, body: object) =>
    client.ok('POST', `${PAYMENTS}/recurring_payments/plan/${id}/${path}`, body, {
      headers: { authorization: `Bearer ${secret}` },
    })
  const path = `recurring_payments/plan/${id}`
  const actorOf = async (reason: string) =>
    (await timelineOf(path)).next.find(({ reason_code: code }) => code === reason)?.actor_id
  await byJo('change', {
    change: { recurring_items: [{ recurring_item_id: item, quantity: 2 }], at: 'period_end' },
  })
  expect(await actorOf('change_scheduled')).toBe(jo.id)
  await client.ok('DELETE', `${PAYMENTS}/${path}/change`)
  await byJo('cancel', { at_period_end: true })
  const headers = { 'x-p-customer-code': client.sandbox.customer_code }
  await client.ok('PUT', `${PAYMENTS}/${path}`, { plan: { name: 'Renamed' } }, { headers })
  expect(await actorOf('canceled_at_period_end')).toBe(jo.id)
  await client.ok('POST', `${PAYMENTS}/${path}/uncancel`)
  await client.ok('POST', `${PAYMENTS}/${path}/cancel`, { at_period_end: true })
  const mine = await actorOf('canceled_at_period_end')
  expect(mine).toMatch(/^key_/)
  expect(mine).not.toBe(jo.id)
  await client.ok('POST', `${PAYMENTS}/${path}/uncancel`)
  await byJo('pause', {})
  expect(await actorOf('paused')).toBe(jo.id)
})

test('an order and an invoice say by name which person made them, and an invoice which key', async () => {
  const email = 'fay@example.com'
  const fay = await createPerson(service, { email })
  const cookie = await signIn(service, email)
  const { base_url: origin, customer_code: code } = client.sandbox
  const byFay = async (path: string, body: object) => {
    const headers = {
      cookie,
      origin,
      'content-type': 'application/json',
      'x-p-customer-code': code,
      'quittance-environment': 'test',
    }
    const response = await fetch(`${origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return ((await response.json()) as ApiReply).data
  }
  const { uuid } = await client.createCustomer()
  const order = { reference_number: 'by-fay', currency: 'HKD', initial_total: 90, customer_uuid: uuid }
  const made = await byFay(`${PAYMENTS}/orders`, { order })
  const { past } = await timelineOf(`orders/${made.order.number}`)
  expect(past[0]).toMatchObject({
    kind: 'order.created',
    actor_id: fay,
    actor_name: expect.stringMatching(/./) as string,
  })
  const { legal_entity: seller } = await client.ok('POST', `${BILLING}/legal_entities`, {
    legal_entity: {
      name: 'Kiln',
      address: { line1: 'Gasse 1', postal_code: '10115', city: 'Berlin', country: 'DE' },
      registrations: [],
    },
  })
  const lines = [{ label: 'Set-up', quantity: 1, unit_amount: 100 }]
  const invoice = {
    customer_uuid: uuid,
    currency: 'HKD',
    lines,
    legal_entity_id: seller.id,
    collection: 'send_invoice',
  }
  await byFay(`${BILLING}/invoices`, { invoice })
  await client.ok('POST', `${BILLING}/invoices`, { invoice })
  const issued = (await timelineOf(`customers/${uuid}`)).past.filter(({ kind }) => kind === 'invoice.issued')
  expect(issued).toMatchObject([{ actor_id: expect.stringMatching(/^key_/) as string }, { actor_id: fay }])
  await client.advanceBy('P40D')
  const overdue = (await timelineOf(`customers/${uuid}`)).past.filter(
    ({ kind }) => kind === 'invoice.overdue',
  )
  expect(overdue).toMatchObject([{ actor_id: null }, { actor_id: null }])
})

// Proves reference/timelines#customers, reference/customers#notes, reference/customers#spend.
test('a customer shows everything that is theirs and what the caller may read, in pages without gaps', async () => {
  const { uuid } = await client.createCustomer()
  const { token } = await client.bindCard(uuid, APPROVES, { default: true })
  const item = await client.createItem(80)
  await client.createPlan({
    customer_uuid: uuid,
    recurring_cycles: monthly(item),
  })
  await client.advanceBy('PT1M')
  const { number } = await client.createOrder({ customer_uuid: uuid })
  const { data } = await client.pay(number, token)
  await client.ok('POST', `${PAYMENTS}/transactions/refund`, {
    transaction: { uuid: data.transaction.uuid },
    amount: 30,
  })
  const customer = `${PAYMENTS}/customers/${uuid}`
  const { note } = await client.ok('POST', `${customer}/notes`, { note: { text: 'Calls on Mondays' } })
  const { past, next } = await timelineOf(`customers/${uuid}`)
  expect(past[0]).toMatchObject({ kind: 'customer.note', text: 'Calls on Mondays', actor_id: note.actor_id })
  expect(new Set(kinds(past))).toEqual(
    new Set([
      'customer.note',
      'order.created',
      'order.paid',
      'order.updated',
      'transaction.succeeded',
      'plan.created',
      'cycle.activated',
      'payment_token.active',
    ]),
  )
  expect(past.map(({ text }) => text)).not.toContain('The stored event cannot be read.')
  expect(kinds(next)).toContain('plan.bills')
  expect(await pagesOf(`customers/${uuid}`, 3)).toEqual(withoutDeliveries(past))
  expect((await client.ok('GET', `${customer}/spend`)).spend).toEqual([
    { currency: 'HKD', orders: 2, paid_total: '150.00' },
  ])

  const { secret } = await client.ok('POST', '/svc/account/api/v1/openapi/api_keys', {
    api_key: { name: 'Profiles', scopes: ['customers:read'] },
  })
  const headers = { authorization: `Bearer ${secret}` }
  const { timeline } = await client.ok('GET', `${customer}/timeline`, undefined, { headers })
  expect(new Set(kinds(timeline.past))).toEqual(new Set(['customer.note', 'payment_token.active']))
  expect(timeline.next).toEqual([])

  await client.ok('DELETE', `${customer}/notes/${note.id}`)
  expect((await client.ok('GET', `${customer}/notes`)).notes).toEqual([])
  expect((await client.call('DELETE', `${customer}/notes/${note.id}`)).status).toBe(404)
})

test('a payment at Stripe shows its notices and its dispute', async () => {
  const twin = await startStripeTwin()
  const account = await connectStripe(client, twin.url)
  await fetch(`${twin.url}/_twin/notices`, {
    method: 'PUT',
    body: JSON.stringify({ url: account.webhook_url, secret: WEBHOOK_SECRET }),
  })
  const { number, uuid } = await payAtStripe(client, account.id, 'pm_card_createDispute')
  const timeline = () => timelineOf(`orders/${number}`)
  await expect.poll(async () => kinds((await timeline()).past), WITHIN).toContain('dispute.opened')
  const { past, next } = await timeline()
  expect(past.find(({ kind }) => kind === 'dispute.opened')).toMatchObject({ transaction_uuid: uuid })
  expect(past.find(({ kind }) => kind === 'acquirer.notice')).toMatchObject({
    transaction_uuid: uuid,
    acquirer: { account_id: account.id },
  })
  expect(kinds(next)).toContain('dispute.due')
})

test('a timeline refuses the cursor of another timeline', async () => {
  const [one, other] = [await client.createOrder(), await client.createOrder()]
  const cursor = Buffer.from(JSON.stringify([`order ${one.number}`, one.created_at, '', null])).toString(
    'base64url',
  )
  expect(
    (await client.call('GET', `${PAYMENTS}/orders/${one.number}/timeline?cursor=${cursor}`)).status,
  ).toBe(200)
  const refused = await client.call('GET', `${PAYMENTS}/orders/${other.number}/timeline?cursor=${cursor}`)
  expect([refused.status, refused.data.error.reason]).toEqual([400, 'invalid_cursor'])
})

// Proves reference/timelines#past, reference/timelines#next, reference/sandbox#what-becomes-due.
test('an order and a plan show their invoices and credit notes, and when a sent invoice becomes overdue', async () => {
  const billing = '/svc/billing/api/v1/openapi'
  const address = { line1: 'Gasse 1', postal_code: '10115', city: 'Berlin', country: 'DE' }
  const { legal_entity: entity } = await client.ok('POST', `${billing}/legal_entities`, {
    legal_entity: { name: 'Kiln GmbH', address, registrations: [] },
  })
  const { uuid } = await client.createCustomer()
  const { token } = await client.bindCard(uuid, APPROVES)
  const terms = { legal_entity_id: entity.id, collection: 'send_invoice', days_until_due: 3 }
  const { invoice } = await client.ok('POST', `${billing}/invoices`, {
    invoice: {
      customer_uuid: uuid,
      currency: 'HKD',
      lines: [{ label: 'Set-up', quantity: 1, unit_amount: 100 }],
      ...terms,
    },
  })
  const path = `orders/${invoice.order_number}`
  const zone = 'Asia/Hong_Kong'
  const dueDate = Temporal.PlainDate.from(invoice.due_date)
  const overdueAt = dueDate.add({ days: 1 }).toZonedDateTime(zone).toInstant()
  expect((await timelineOf(path)).next).toMatchObject([
    {
      at: overdueAt.toString({ fractionalSecondDigits: 3 }),
      kind: 'invoice.becomes_overdue',
      reason_code: 'invoice_due',
      amount: 100,
      object_id: invoice.id,
      details: { document_number: invoice.number },
    },
  ])
  const due = await client.ok('GET', `/svc/sandbox/api/v1/openapi/clock/due?to=${overdueAt.toString()}`)
  expect(due.due).toContainEqual({
    work: 'invoice_overdue',
    next_at: overdueAt.toString({ fractionalSecondDigits: 3 }),
  })
  const note = { amount: 30, reason: 'Late.' }
  await client.ok('POST', `${billing}/invoices/${invoice.id}/credit_notes`, { credit_note: note })
  const start = overdueAt.subtract({ hours: 1 })
  const plan = await client.createPlan({
    reference_number: randomUUID(),
    customer_uuid: uuid,
    start_date: start.toString(),
    recurring_cycles: [
      {
        recurring_billing_config: 'FREQ=MONTHLY',
        billing_count: null,
        recurring_items: [{ recurring_item_id: await client.createItem(50), quantity: 1 }],
      },
    ],
    invoicing: { ...terms, tax: 'none' },
  })
  await client.advanceTo(overdueAt.toString())
  await client.ok('POST', `${billing}/invoices/${invoice.id}/payments`, {
    payment: { method: 'cash', amount: 20 },
  })
  await client.pay(invoice.order_number, token)
  const { past, next } = await timelineOf(path)
  // What was recorded by hand was sent to nobody.
  expect(past.filter(({ kind }) => kind === 'transaction.sent').map(({ text }) => text)).toEqual([
    'A payment of 50.00 HKD was sent to simulator.',
  ])
  expect(kinds(next)).not.toContain('invoice.becomes_overdue')
  expect(past.filter(({ kind }) => /^(?:invoice|credit_note)/.test(kind)).map(({ text }) => text)).toEqual([
    `Invoice ${invoice.number} of 100.00 HKD was paid.`,
    `Invoice ${invoice.number} of 100.00 HKD became overdue with 70.00 HKD due.`,
    expect.stringMatching(/^Credit note CN-\S+ of 30\.00 HKD was issued: Late\.$/),
    `Invoice ${invoice.number} of 100.00 HKD was issued, due on ${invoice.due_date}.`,
  ])
  expect(await pagesOf(path, 2)).toEqual(withoutDeliveries(past))
  const ofPlan = await timelineOf(`recurring_payments/plan/${plan.id}`)
  expect(kinds(ofPlan.past)).toContain('invoice.issued')
  expect(kinds(ofPlan.next)).toContain('invoice.becomes_overdue')
})

// Proves reference/events#retention.
test('a timeline still names events whose documents were dropped, and says that their amounts are unknown', async () => {
  const { number } = await client.createOrder()
  const texts = async () => (await timelineOf(`orders/${number}`)).past.map(({ text }) => text)
  const whole = [expect.stringMatching(/^Order \S+ for 100\.00 HKD was created\.$/)]
  const pointTo = (bundle: string) =>
    onServer(databaseUrl, (admin) =>
      admin.query(`update events set bundle_id = ${bundle} where object_id = $1`, [number]),
    )
  expect(await texts()).toEqual(whole)
  await pointTo(`bundle_id || '_dropped'`)
  expect(await texts()).toEqual(['The order for an unknown amount was created.'])
  await pointTo(`replace(bundle_id, '_dropped', '')`)
  expect(await texts()).toEqual(whole)
})

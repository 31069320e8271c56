import { expect, test } from 'vitest'
import { startMailServer } from '#platform/mail/testing/mail-server'
import { cleanUp } from '#platform/testing/clean-up'
import { until } from '#platform/testing/until'
import { cardToBind, monthly, PAYMENTS } from './harness/client.ts'
import { createPerson, signIn } from './harness/people.ts'
import { startScenario } from './harness/scenario.ts'

const B = '/svc/billing/api/v1/openapi'
const DECLINING = '4000000000000341'
const GOOD = '4242424242424242'

const refused = new Map<string, number>()
let behaviour: 'accept' | 'defer' | 'cut' = 'accept'
const held = new Map<string, Promise<'accept'>>()
let says: string | undefined
const mail = await startMailServer({
  says: (line) => line.replace('no such mailbox', (words) => says ?? words),
  refuses: (recipient) => refused.get(recipient) ?? false,
  afterData: (_messageId, [to = '']) => held.get(to) ?? behaviour,
})
cleanUp(() => mail.close())
const { client, service } = await startScenario({
  env: { SMTP_URL: mail.url, MAIL_FROM: 'The Shop <pay@shop.example>' },
})

type Message = Record<string, unknown> & { id: string; kind: string; state: string; object_id: string }

const settings = (members: object) => client.ok('PUT', `${B}/message_settings`, { message_settings: members })

async function messagesOf(filter: string): Promise<Message[]> {
  const { messages } = await client.ok('GET', `${B}/messages?filter=${encodeURIComponent(filter)}&limit=100`)
  return messages
}

async function messageOf(filter: string, state: string): Promise<Message> {
  await until(async () => (await messagesOf(filter))[0]?.state === state)
  const [message] = await messagesOf(filter)
  if (message === undefined) throw new Error(`no message is ${filter}`)
  return message
}

let customers = 0
async function bindCard(customerUuid: string, number: string): Promise<string> {
  return (await client.bindCard(customerUuid, number)).token
}

async function newCustomer(members: Record<string, unknown> = {}) {
  const email = `amy${++customers}@example.com`
  const customer = await client.createCustomer({ email, ...members })
  return { ...customer, email }
}

async function paidOrder(customerUuid: string, token: string) {
  const order = await client.createOrder({ customer_uuid: customerUuid })
  await client.pay(order.number, token)
  return order.number as string
}

const mailsTo = (address: string) => mail.received.filter(({ to }) => to.includes(address))

// Proves reference/messages#kinds, reference/messages#settings, reference/messages#states.
test('by default nothing is made, and a test environment keeps what it makes', async () => {
  expect((await client.ok('GET', `${B}/message_settings`)).message_settings).toMatchObject({
    enabled: [],
    renewal_days: 14,
    message_days: 400,
    deliver_in_test: false,
  })
  const customer = await newCustomer()
  const token = await bindCard(customer.uuid, GOOD)
  const silent = await paidOrder(customer.uuid, token)
  await settings({ enabled: ['receipt'] })
  const number = await paidOrder(customer.uuid, token)
  const message = await messageOf(`object_id = "${number}"`, 'kept')
  expect(message).toMatchObject({ kind: 'receipt', to: customer.email, language: 'en', attempts: 0 })
  expect(message['subject']).toEqual(expect.stringMatching(/./))
  expect(message['html']).toContain(number)
  expect(message['text']).toContain(number)
  expect(await messagesOf(`object_id = "${silent}"`)).toEqual([])
  await settings({ deliver_in_test: true })
  await messageOf(`object_id = "${await paidOrder(customer.uuid, token)}"`, 'sent')
  expect(mailsTo(customer.email)).toHaveLength(1)
})

test('an order that is paid again after its payment was voided gets another receipt', async () => {
  await settings({ enabled: ['receipt'] })
  const customer = await newCustomer()
  const token = await bindCard(customer.uuid, GOOD)
  const { number } = await client.createOrder({ customer_uuid: customer.uuid })
  const { data } = await client.pay(number, token)
  await client.ok('POST', `${PAYMENTS}/transactions/void`, { transaction: { uuid: data.transaction.uuid } })
  await client.pay(number, token)
  expect(await messagesOf(`object_id = "${number}"`)).toHaveLength(2)
})

// Proves reference/messages#what-a-message-says.
test('a name that holds a link is neither greeted nor put into a subject', async () => {
  await settings({ enabled: ['receipt'], deliver_in_test: true })
  const customer = await newCustomer({ name: 'Your card is blocked: evil.example/amy' })
  const template = { message_template: { subject: 'Thanks, {{customer_name}} ({{amount}})' } }
  await client.ok('PUT', `${B}/message_templates/receipt/en`, template)
  const number = await paidOrder(customer.uuid, await bindCard(customer.uuid, GOOD))
  const { subject, html, text } = await messageOf(`object_id = "${number}"`, 'sent')
  await client.ok('DELETE', `${B}/message_templates/receipt/en`)
  expect(subject).toEqual(expect.stringMatching(/^Thanks, /))
  expect(`${String(subject)} ${String(html)} ${String(text)}`).not.toMatch(/evil|blocked|Hello/)
  expect(mailsTo(customer.email)[0]?.headers['subject']).toBe(subject)
})

// Proves reference/messages#tries, reference/messages#bounces.
test('a receipt is sent once, also where the server defers it or breaks the connection', async () => {
  await settings({ enabled: ['receipt'], deliver_in_test: true, reply_to: 'help@shop.example' })
  const customer = await newCustomer()
  const token = await bindCard(customer.uuid, GOOD)
  behaviour = 'cut'
  const number = await paidOrder(customer.uuid, token)
  await until(() => mailsTo(customer.email).length > 0)
  behaviour = 'accept'
  const sent = await messageOf(`object_id = "${number}"`, 'sent')
  const received = mailsTo(customer.email)
  expect(new Set(received.map(({ headers }) => headers['message-id']))).toEqual(new Set([sent['message_id']]))
  expect(received[0]?.headers).toMatchObject({ 'reply-to': 'help@shop.example', subject: sent['subject'] })
  expect(Number(sent['attempts'])).toBeGreaterThan(1)
  const events = await client.events(sent.id)
  expect(events.map(({ type }) => type)).toEqual(['message.sent'])
})

test('a mail that its server is slow to take holds up no other', async () => {
  await settings({ enabled: ['receipt'], deliver_in_test: true })
  const [slow, other] = [await newCustomer(), await newCustomer()]
  const token = await bindCard(other.uuid, GOOD)
  // Deferred twice, all become due at once when the clock moves, the slow one first.
  behaviour = 'defer'
  const number = await paidOrder(slow.uuid, await bindCard(slow.uuid, GOOD))
  const others: string[] = []
  while (others.length < 60) others.push(await paidOrder(other.uuid, token))
  await until(async () => {
    const tried = (await messagesOf('state = queued')).filter(({ attempts }) => Number(attempts) > 1)
    return tried.length > others.length
  })
  const { promise, resolve: release } = Promise.withResolvers<'accept'>()
  held.set(slow.email, promise)
  behaviour = 'accept'
  await client.advanceBy('PT2H')
  // The service gives the slow mail up after 20 s.
  await until(() => mailsTo(other.email).length === others.length, 18_000)
  expect(mailsTo(slow.email)).toEqual([])
  release('accept')
  await messageOf(`object_id = "${number}"`, 'sent')
})

test('a mailbox that the server does not know bounces at once and gets nothing any more', async () => {
  const customer = await newCustomer()
  const token = await bindCard(customer.uuid, GOOD)
  refused.set(customer.email, 550)
  const first = await paidOrder(customer.uuid, token)
  await messageOf(`object_id = "${first}"`, 'bounced')
  refused.delete(customer.email)
  const second = await paidOrder(customer.uuid, token)
  await messageOf(`object_id = "${second}"`, 'suppressed')
  const { suppressions } = await client.ok('GET', `${B}/suppressions`)
  expect(suppressions).toMatchObject([{ address: customer.email, kind: 'hard' }])
  await client.ok('DELETE', `${B}/suppressions/${encodeURIComponent(customer.email)}`)
  const [message] = await messagesOf(`object_id = "${second}"`)
  const { message: again } = await client.ok('POST', `${B}/messages/${message?.id}/resend`)
  expect(again).toMatchObject({ state: 'queued', resent_from: message?.id, object_id: second })
  await until(() => mailsTo(customer.email).length === 1)
})

test('what a mail server says that cannot be stored repeats no mail, and is shown on one line', async () => {
  const customer = await newCustomer()
  const token = await bindCard(customer.uuid, GOOD)
  await settings({ bcc: 'copies@shop.example' })
  refused.set('copies@shop.example', 451)
  says = 'later\0 \u001b[31m\u202e'
  const number = await paidOrder(customer.uuid, token)
  const message = await messageOf(`object_id = "${number}"`, 'sent')
  expect(message['error']).toBe('451 later   [31m ')
  expect(mailsTo(customer.email)).toHaveLength(1)
  refused.delete('copies@shop.example')
  says = undefined
  await settings({ bcc: null })
})

test('a message that no server takes for a day has failed', async () => {
  const customer = await newCustomer()
  const token = await bindCard(customer.uuid, GOOD)
  refused.set(customer.email, 451)
  const number = await paidOrder(customer.uuid, token)
  await until(async () => Number((await messagesOf(`object_id = "${number}"`))[0]?.['attempts']) === 1)
  await client.advanceBy('PT25H')
  const failed = await messageOf(`object_id = "${number}"`, 'failed')
  expect(failed['error']).toContain('no such mailbox')
  const { attention } = await client.ok('GET', '/svc/report/api/v1/openapi/attention')
  expect(attention).toContainEqual(expect.objectContaining({ kind: 'message_undelivered' }))
})

// Proves reference/messages#kinds.
test('a failed attempt of a plan says when the next one is, and is dropped once the order is paid', async () => {
  await settings({ enabled: ['payment_failed', 'plan_canceled', 'receipt'] })
  const customer = await newCustomer()
  await bindCard(customer.uuid, DECLINING)
  refused.set(customer.email, 451)
  await client.createPlan({
    customer_uuid: customer.uuid,
    name: 'Gold',
    payment_retry_count: 3,
    payment_retry_day_period: 2,
    recurring_cycles: monthly(await client.createItem(100)),
  })
  const filter = `customer.uuid = "${customer.uuid}" AND kind = payment_failed`
  await until(async () => (await messagesOf(filter)).length === 1)
  const [failed] = await messagesOf(filter)
  expect(failed?.['text']).toContain('Gold')
  const good = await bindCard(customer.uuid, GOOD)
  await client.pay(String(failed?.object_id), good)
  await until(async () => (await messagesOf(filter)).every(({ state }) => state === 'queued'))
  refused.delete(customer.email)
  await client.advanceBy('PT6M')
  await messageOf(filter, 'dropped')
})

// Proves reference/messages#unsubscribing.
test('opening the link of an optional message shows a button, and only its POST unsubscribes', async () => {
  await settings({ enabled: ['card_expiring'], deliver_in_test: true })
  const customer = await newCustomer()
  const now = await client.now()
  const { year, month } = now.toZonedDateTimeISO('Asia/Hong_Kong').add({ months: 2 })
  const card = cardToBind(GOOD)
  await client.bind(customer.uuid, {
    ...card,
    credit_card: { ...card.credit_card, exp_month: String(month).padStart(2, '0'), exp_year: String(year) },
  })
  await client.createPlan({
    customer_uuid: customer.uuid,
    recurring_cycles: [
      {
        billing_count: null,
        recurring_billing_config: 'FREQ=YEARLY',
        recurring_items: [{ recurring_item_id: await client.createItem(10), quantity: 1 }],
      },
    ],
  })
  await client.advanceBy('P75D')
  await until(() => mailsTo(customer.email).length > 0)
  const [received] = mailsTo(customer.email)
  expect(received?.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
  const url = received?.headers['list-unsubscribe']?.slice(1, -1) ?? ''
  const page = await fetch(url)
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<button')])
  const suppressed = async () => (await client.ok('GET', `${B}/suppressions`)).suppressions
  expect(await suppressed()).not.toContainEqual(expect.objectContaining({ address: customer.email }))
  const form = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
  expect((await fetch(url, { method: 'POST', body: form })).status).toBe(200)
  expect(await suppressed()).toContainEqual(
    expect.objectContaining({ address: customer.email, kind: 'unsubscribe' }),
  )
})

// Proves reference/messages#recipients.
test('copies go to cc and bcc, each obeying suppressions by itself, and to nobody whom bcc should hide', async () => {
  await settings({ enabled: ['receipt'], deliver_in_test: true, bcc: 'archive@shop.example' })
  const customer = await newCustomer()
  const details = `/svc/billing/api/v1/openapi/customers/${customer.uuid}/billing_details`
  const six = Array.from({ length: 6 }, (_, index) => `cc${index}@example.com`)
  expect((await client.call('PUT', details, { billing_details: { cc: six } })).status).toBe(400)
  await client.ok('PUT', details, { billing_details: { cc: ['one@example.com', 'Two@example.com'] } })
  const token = await bindCard(customer.uuid, GOOD)
  await paidOrder(customer.uuid, token)
  await until(() => mailsTo(customer.email).length === 1)
  const [received] = mailsTo(customer.email)
  expect(received?.to).toEqual([customer.email, 'one@example.com', 'Two@example.com', 'archive@shop.example'])
  expect(received?.headers['cc']).toBe('one@example.com, Two@example.com')
  expect(received?.raw).not.toContain('archive@shop.example')
  for (const address of ['two@EXAMPLE.com', customer.email]) {
    await client.ok('POST', `${B}/messages/bounces`, { bounce: { address, kind: 'hard' } })
  }
  const number = await paidOrder(customer.uuid, token)
  await until(() => mailsTo('one@example.com').length === 2)
  expect(mailsTo('one@example.com')[1]?.to).toEqual(['one@example.com', 'archive@shop.example'])
  await messageOf(`object_id = "${number}"`, 'suppressed')
  await settings({ bcc: null })
})

// Proves reference/messages#bounces.
test('a bounce is reported by message or by address, and the stronger suppression stays', async () => {
  const customer = await newCustomer()
  const number = await paidOrder(customer.uuid, await bindCard(customer.uuid, GOOD))
  const sent = await messageOf(`object_id = "${number}"`, 'sent')
  const report = (bounce: object) => client.call('POST', `${B}/messages/bounces`, { bounce })
  const suppression = async () =>
    (await client.ok('GET', `${B}/suppressions`)).suppressions.find(
      ({ address }: { address: string }) => address === customer.email,
    )
  expect((await report({ kind: 'soft', message_id: sent['message_id'] })).status).toBe(200)
  expect(await suppression()).toBeUndefined()
  await report({ kind: 'hard', message_id: sent['message_id'] })
  await report({ kind: 'complaint', address: customer.email.toUpperCase() })
  expect(await suppression()).toMatchObject({ kind: 'hard' })
  await report({ kind: 'complaint', message_id: String(sent['message_id']).slice(1, -1) })
  await messageOf(`object_id = "${number}"`, 'complained')
  const events = await client.events(sent.id)
  expect(events.map(({ type }) => type)).toEqual(['message.sent', 'message.bounced', 'message.complained'])
  expect(await report({ kind: 'hard' })).toMatchObject({ status: 400 })
  expect(await report({ kind: 'hard', address: 'a@b.example', message_id: 'x' })).toMatchObject({
    status: 422,
  })
  expect(await report({ kind: 'hard', message_id: '<msg_none@shop.example>' })).toMatchObject({ status: 404 })
})

test('suppressions are paged by cursor, although they are known by their addresses', async () => {
  const addresses = ['one@mail.example', 'two+tag@mail.example', 'three@mail.example']
  for (const address of addresses) {
    await client.ok('POST', `${B}/messages/bounces`, { bounce: { address, kind: 'hard' } })
  }
  const listed: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const { suppressions, page } = await client.ok('GET', `${B}/suppressions?limit=1${query}`)
    listed.push(...suppressions.map(({ address }: { address: string }) => address))
    cursor = page.next_cursor
  }
  expect(listed.filter((address) => addresses.includes(address))).toEqual(addresses.toReversed())
})

// Proves reference/messages#states.
test('what became void while it waited asks for nothing and thanks for nothing', async () => {
  await settings({ enabled: ['receipt', 'invoice'], deliver_in_test: true })
  const { legal_entity: entity } = await client.ok('POST', `${B}/legal_entities`, {
    legal_entity: {
      name: 'Kiln GmbH',
      address: { line1: 'Gasse 1', postal_code: '10115', city: 'Berlin', country: 'DE' },
      registrations: [],
    },
  })
  const customer = await newCustomer()
  const token = await bindCard(customer.uuid, GOOD)
  refused.set(customer.email, 451)
  const number = await paidOrder(customer.uuid, token)
  const { invoice } = await client.ok('POST', `${B}/invoices`, {
    invoice: {
      customer_uuid: customer.uuid,
      currency: 'HKD',
      lines: [{ label: 'Set-up', quantity: 1, unit_amount: 100 }],
      legal_entity_id: entity.id,
      collection: 'send_invoice',
    },
  })
  const tried = async (objectId: string) =>
    Number((await messagesOf(`object_id = "${objectId}"`))[0]?.['attempts']) > 0
  await until(async () => (await tried(number)) && (await tried(invoice.id)))
  for (const order of [number, invoice.order_number]) {
    await client.ok('POST', '/svc/payment/api/v1/openapi/orders/void', { order: { number: order } })
  }
  refused.delete(customer.email)
  await client.advanceBy('PT6M')
  await messageOf(`object_id = "${number}"`, 'dropped')
  const sent = await messageOf(`object_id = "${invoice.id}"`, 'sent')
  expect(sent['text']).not.toContain('Please pay')
  expect(sent['html']).not.toContain('/pay/')
})

// Proves reference/messages#settings.
test('messages are deleted once they are message_days old, to the moment', async () => {
  const customer = await newCustomer()
  const number = await paidOrder(customer.uuid, await bindCard(customer.uuid, GOOD))
  const { created_at: at } = await messageOf(`object_id = "${number}"`, 'sent')
  await settings({ message_days: 2 })
  await client.advanceTo(Temporal.Instant.from(String(at)).add({ hours: 47 }).toString())
  expect(await messagesOf(`object_id = "${number}"`)).toHaveLength(1)
  await client.advanceTo(Temporal.Instant.from(String(at)).add({ hours: 48, milliseconds: 1 }).toString())
  expect(await messagesOf(`object_id = "${number}"`)).toEqual([])
  await settings({ message_days: 400 })
})

// Proves reference/messages#templates.
test('a template with an unknown placeholder names it and the known ones', async () => {
  const path = `${B}/message_templates/receipt/en`
  const refusedReply = await client.call('PUT', path, { message_template: { intro: 'Dear {{who}}' } })
  expect(refusedReply.status).toBe(422)
  expect(JSON.stringify(refusedReply)).toContain('unknown: who')
  const text = { intro: 'Thank you, {{customer_name}}.' }
  expect((await client.ok('PUT', path, { message_template: text })).message_template).toMatchObject(text)
  const { message_preview: preview } = await client.ok('POST', `${path}/preview`, { message_template: {} })
  expect(preview.text).toContain('Thank you, Amy')
  const blank = { message_template: { subject: ' ' } }
  expect((await client.ok('POST', `${path}/preview`, blank)).message_preview.subject).toContain('receipt')
  // The receipt of an order has no file of its own.
  expect(preview.text).not.toContain('.pdf')
  await client.ok('DELETE', path)
  expect((await client.call('GET', path)).status).toBe(404)
})

test('a test of each kind goes to the user who asks for it, and to no key', async () => {
  const email = 'ada@shop.example'
  await createPerson(service, { email })
  const cookie = await signIn(service, email)
  const { base_url: origin, customer_code: code } = service.sandbox
  const headers = { cookie, origin, 'x-p-customer-code': code, 'quittance-environment': 'test' }
  const kinds = ['receipt', 'invoice', 'payment_failed', 'trial_ending', 'card_expiring', 'portal_link']
  const before = mailsTo(email).length
  for (const kind of kinds) {
    const reply = await fetch(`${origin}${B}/message_templates/${kind}/de/test`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ message_template: { subject: `${kind} {{business_name}}` } }),
    })
    expect(await reply.json()).toMatchObject({ data: { message_test: { to: email } } })
  }
  const subjects = mailsTo(email)
    .slice(before)
    .map(({ headers: { subject } }) => subject)
  expect(subjects).toEqual(kinds.map((kind) => `${kind} Sandbox`))
  const path = `${B}/message_templates/receipt/en/test`
  expect(await client.call('POST', path, { message_template: {} })).toMatchObject({
    status: 409,
    data: { error: { reason: 'no_address_of_caller' } },
  })
})

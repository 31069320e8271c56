import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { decompress } from '#platform/compression/compression'
import { replyWith, startReceiver } from '#platform/testing/receiver'
import { runInProcess } from '../src/commands/testing/run-in-process.ts'
import { walletSettings } from './harness/chains.ts'
import { cardToBind, monthly, PAYMENTS } from './harness/client.ts'
import { callConsole, createPerson, signIn } from './harness/people.ts'
import { startScenario } from './harness/scenario.ts'
import { connectStripe, startStripeTwin, WEBHOOK_SECRET } from './harness/stripe-twin.ts'

/** Echoes title, note and return address, as receivers do that validate. */
const receiver = await startReceiver(({ text }, response) => {
  const echo = [...new Set(text.match(/marktext \d+|who=quillfeather|Zephyrine Quillfeather/g))]
  response.writeHead(500).end(`no place for ${echo.join(', ')}`)
})
const twin = await startStripeTwin()
const { service, client, databaseUrl } = await startScenario({
  env: { ALLOW_PRIVATE_WEBHOOKS: '1', ...(await walletSettings()) },
})
const admin = new pg.Client({ connectionString: databaseUrl })
await admin.connect()
afterAll(() => admin.end())

const PRIVACY = '/svc/privacy/api/v1/openapi'
const CARDS = '/svc/ts/api/v1/openapi/cards'
const PLANS = `${PAYMENTS}/recurring_payments/plan`
const BILLING = '/svc/billing/api/v1/openapi'
const REFERENCE = 'ref-zephyrine-77'
const PROFILE = {
  name: 'Zephyrine Quillfeather',
  email: 'quillfeather@marker.example',
  dial_code: '+852',
  phone: '98230147',
  company_name: 'Marmalade Holdings',
}
const MARKERS = [
  'zephyrine',
  'quillfeather',
  'marker.example',
  '98230147',
  'marmalade',
  'marktext',
  'zephyrin',
  '424242*',
  'exp_year":"20',
  'expyear":20',
]

/** What may stay, and why. */
const KEPT: Readonly<Record<string, string>> = {
  'idempotency_keys.key':
    'chosen by the caller, and what keeps a request from being done twice; deleted after 30 days',
  'invoices.copy': 'tax law keeps documents as they were issued',
  'invoices.cause': 'the reason of a credit note, which stands on the document',
}

const customerOptions = { headers: { 'X-P-Customer-Code': client.sandbox.customer_code } }

/** Makes work of the service due now. */
async function hasten(table: 'erasures' | 'retention_settings', job: string): Promise<void> {
  await admin.query(`update ${table} set due_at = now() where due_at is not null`)
  await admin.query('update next_runs set due_at = now(), rechecks = 0 where job = $1', [job])
}

async function completed(id: string): Promise<Record<string, unknown>> {
  const read = async () => (await client.ok('GET', `${PRIVACY}/erasures/${id}`)).erasure
  await expect
    .poll(
      async () => {
        await hasten('erasures', 'erasures')
        return (await read()).state as string
      },
      { timeout: 60_000, interval: 100 },
    )
    .toBe('completed')
  return read()
}

async function findMarkers(): Promise<string[]> {
  const { rows: columns } = await admin.query<{ table: string; column: string; type: string }>(`
    select c.relname as table, a.attname as column, t.typname as type
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      join pg_type t on t.oid = a.atttypid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and t.typname in ('text', 'varchar', 'json', 'jsonb', 'bytea', '_text')`)
  expect(columns.length).toBeGreaterThan(300)
  const found: string[] = []
  for (const { table, column, type } of columns) {
    const text = type === 'bytea' ? `encode(${column}, 'escape')` : `${column}::text`
    const { rows } = await admin.query<{ value: string }>(
      `select ${text} as value from ${table}
        where exists (select from unnest($1::text[]) marker where position(marker in lower(${text})) > 0) limit 1`,
      [MARKERS],
    )
    if (rows[0] !== undefined) found.push(`${table}.${column}: ${rows[0].value.slice(0, 300)}`)
  }
  const { rows: bundles } = await admin.query<{ documents: Buffer }>('select documents from event_bundles')
  for (const { documents } of bundles) {
    const text = decompress(documents).toString().toLowerCase()
    if (MARKERS.some((marker) => text.includes(marker))) found.push('event_bundles.documents')
  }
  const { rows: logged } = await admin.query<{ bodies: Buffer }>(
    'select bodies from request_log where bodies is not null',
  )
  for (const { bodies } of logged) {
    const text = decompress(bodies).toString().toLowerCase()
    if (MARKERS.some((marker) => text.includes(marker))) found.push('request_log.bodies')
  }
  return found.filter((place) => KEPT[place.split(':')[0] ?? ''] === undefined)
}

async function newPlan(uuid: string, members: object = {}) {
  return client.createPlan({
    customer_uuid: uuid,
    recurring_cycles: monthly(await client.createItem(100)),
    ...members,
  })
}

async function billingDetails(uuid: string): Promise<void> {
  const address = { line1: 'marktext 90', postal_code: '10115', city: 'Marmalade', country: 'DE' }
  const details = {
    address,
    tax_exempt: 'exempt',
    exempt_reason: 'marktext 91',
    invoice_email: 'bills@marker.example',
    cc: ['books@marker.example'],
  }
  await client.ok(
    'PUT',
    `${BILLING}/customers/${uuid}/billing_details`,
    { billing_details: details },
    { idempotencyKey: randomUUID() },
  )
  await client.ok('PUT', `${BILLING}/portal`, { portal: { allow: { billing_details: true } } })
  const { portal_session: session } = await client.ok('POST', `${BILLING}/portal/sessions`, {
    portal_session: { customer_uuid: uuid },
  })
  await client.ok(
    'PUT',
    '/svc/portal/api/v1/openapi/billing_details',
    { billing_details: { address } },
    { idempotencyKey: randomUUID(), headers: { authorization: `Bearer ${session.token}` } },
  )
  const filter = encodeURIComponent('to = "bills@marker.example"')
  await client.ok('GET', `${BILLING}/messages?filter=${filter}`)
  await client.ok('POST', `${BILLING}/messages/bounces`, {
    bounce: { address: 'books@marker.example', kind: 'soft' },
  })
}

async function note(uuid: string): Promise<void> {
  await client.ok(
    'POST',
    `${PAYMENTS}/customers/${uuid}/notes`,
    { note: { text: 'Calls marktext 92' } },
    { idempotencyKey: randomUUID() },
  )
}

/** The token is purged, and only its event still shows what was known of it. */
async function declinedCard(uuid: string): Promise<void> {
  const card = cardToBind('4000000000000002')
  await client.bind(uuid, {
    ...card,
    credit_card: { ...card.credit_card, holder_name: 'Zephyrine Quillfeather' },
  })
  await client.advanceBy('P31D')
}

async function payments(uuid: string): Promise<void> {
  const { token } = await client.bind(uuid, {
    ...cardToBind('4242424242424242'),
    credit_card: { ...cardToBind('4242424242424242').credit_card, holder_name: 'Zephyrine Quillfeather' },
    return_url: 'https://shop.example/?who=quillfeather',
  })
  const order = await client.createOrder({
    customer_uuid: uuid,
    metadata: { passport: 'marktext 1' },
    notify_url: `${receiver.url}/?who=quillfeather`,
    return_url: 'https://shop.example/?who=quillfeather',
    line_items: [
      { purchasable_type: 'Charge', label: 'Lesson of Zephyrine Quillfeather', price: 100, quantity: 1 },
    ],
  })
  const { data } = await client.pay(order.number, token)
  expect(data.transaction).toBeDefined()
  await client.ok('POST', `${PAYMENTS}/transactions/refund`, {
    transaction: { uuid: data.transaction.uuid },
    amount: 10,
    note: 'marktext 3',
  })
  await client.call('POST', `${PAYMENTS}/customers`, {
    customer: { reference_number: REFERENCE, name: 'Zephyrine', phone: '1' },
  })
  await client.ok('GET', `${PAYMENTS}/customers/ref/${REFERENCE}`)
  await client.ok('GET', `${PAYMENTS}/customers?filter=${encodeURIComponent(`email = "${PROFILE.email}"`)}`)
  await client.ok('GET', `/svc/search/api/v1/openapi/search?query=quillfeather`)
}

async function planOf(uuid: string): Promise<string> {
  const plan = await newPlan(uuid, {
    name: 'Gold of Zephyrine Quillfeather',
    note: 'marktext 4',
    description: 'marktext 5',
    metadata: { seat: 'marktext 6' },
    callback_url: `${receiver.url}/plan?who=quillfeather`,
    timeout: { timer: 'PT1H', url: `${receiver.url}/timeout?who=quillfeather` },
  })
  await client.advanceBy('P2D')
  await client.ok(
    'PUT',
    `${PLANS}/${plan.id}`,
    { plan: { metadata: { seat: 'marktext 7' } } },
    customerOptions,
  )
  await client.ok('POST', `${PLANS}/${plan.id}/cancel`, {}, customerOptions)
  return plan.id
}

/** @returns the id of an invoice that is paid */
async function invoiced(uuid: string, cookie: string): Promise<string> {
  const { legal_entity: entity } = await client.ok('POST', `${BILLING}/legal_entities`, {
    legal_entity: {
      name: 'Kiln GmbH',
      address: { line1: 'Gasse 1', postal_code: '10115', city: 'Berlin', country: 'DE' },
      registrations: [{ country: 'DE' }],
    },
  })
  const invoicing = {
    legal_entity_id: entity.id,
    collection: 'send_invoice',
    days_until_due: 90,
    tax: 'automatic',
  }
  const invoiceOf = async (): Promise<{ id: string; number: string; order_number: string }> => {
    const { invoice } = await client.ok('POST', `${BILLING}/invoices`, {
      invoice: {
        customer_uuid: uuid,
        currency: 'HKD',
        lines: [{ label: 'Set-up', quantity: 1, unit_amount: 100 }],
        ...invoicing,
      },
    })
    expect(invoice.notes).toEqual(['marktext 91'])
    return invoice
  }
  const credit = (id: string, members: object) =>
    client.ok('POST', `${BILLING}/invoices/${id}/credit_notes`, { credit_note: members })
  const [byTransfer, byCard, byHand] = [await invoiceOf(), await invoiceOf(), await invoiceOf()]
  const statement = {
    format: 'csv',
    content: [
      'booking_date,amount,currency,debtor_name,remittance',
      `2026-01-05,100.00,HKD,Zephyrine Quillfeather,${byTransfer.number} marktext 92`,
      '2026-01-05,1.00,HKD,Somebody Else,for nothing',
      '',
    ].join('\n'),
  }
  const imported = await client.ok('POST', `${BILLING}/bank_statements`, { bank_statement: statement })
  expect(imported.bank_statement).toMatchObject({ matched: 1 })
  // What a person does is in the audit log.
  const repeated = await fetch(`${client.sandbox.base_url}${BILLING}/bank_statements`, {
    method: 'POST',
    headers: {
      cookie,
      origin: client.sandbox.base_url,
      'content-type': 'application/json',
      'x-p-customer-code': client.sandbox.customer_code,
      'quittance-environment': 'test',
    },
    body: JSON.stringify({ bank_statement: { ...statement, reference_id: 'again' } }),
  })
  expect(repeated.status).toBe(200)
  const { token } = await client.bind(uuid, cardToBind('4242424242424242'))
  expect((await client.pay(byCard.order_number, token)).status).toBe(200)
  await credit(byTransfer.id, { amount: 10, reason: 'marktext 93' })
  await credit(byCard.id, { amount: 10, reason: 'marktext 94', refund: 'payment' })
  const pay = (amount: number, members: object) =>
    client.ok('POST', `${BILLING}/invoices/${byHand.id}/payments`, {
      payment: { amount, method: 'cheque', ...members },
    })
  const { transaction } = await pay(20, { reference: 'marktext 95', note: 'marktext 96' })
  await client.ok('POST', `${BILLING}/transactions/${transaction.uuid}/undo`)
  await pay(110, { reference: 'marktext 97', note: 'marktext 98' })
  await client.ok('POST', `${BILLING}/orders/${byHand.order_number}/repayments`, {
    repayment: { amount: 10, reference: 'marktext 99', note: 'marktext 100' },
  })
  const writtenOff = await invoiceOf()
  await client.ok('POST', `${BILLING}/invoices/${writtenOff.id}/write_off`, { reason: 'marktext 101' })
  return byTransfer.id
}

async function issuedCard(): Promise<void> {
  await client.ok('POST', '/svc/ts/api/v1/openapi/digital_wallets', {
    digital_wallet: { p_user_id: REFERENCE },
  })
  const { card } = await client.ok('POST', CARDS, {
    card: {
      reference_id: randomUUID(),
      type: 'virtual',
      settlement_currency: 'HKD',
      mode: 'B2C',
      title: 'Zephyrine Quillfeather',
      metadata: { desk: 'marktext 8' },
    },
  })
  await client.ok('POST', `${CARDS}/link`, { card_reference_id: card.reference_id, p_user_id: REFERENCE })
  const { authorization } = await client.ok('POST', `${CARDS}/${card.id}/authorizations`, {
    authorization: {
      amount: '10.00',
      currency: 'HKD',
      merchant: { name: 'marktext shop', mcc: '5411', country: 'HK' },
      reference_id: randomUUID(),
    },
  })
  await client.ok('POST', `${CARDS}/authorizations/${authorization.uuid}/capture`, {
    amount: '10.00',
    final: true,
    reference_id: randomUUID(),
  })
  await client.ok('POST', `${CARDS}/${card.id}/status`, { status: 'Terminated', remark: 'marktext 9' })
}

async function lostDispute(uuid: string): Promise<void> {
  const account = await connectStripe(client, twin.url)
  await fetch(`${twin.url}/_twin/notices`, {
    method: 'PUT',
    body: JSON.stringify({ url: account.webhook_url, secret: WEBHOOK_SECRET, repeat: 1, shuffle: false }),
  })
  const { token } = await client.bind(uuid, {
    token_type: 'CreditCard',
    acquirer_token: { acquirer_account_id: account.id, id: 'pm_card_createDispute' },
  })
  const { number } = await client.createOrder({ customer_uuid: uuid })
  expect((await client.pay(number, token)).status).toBe(200)
  const filter = encodeURIComponent(`order_number = "${number}"`)
  const read = async () => (await client.ok('GET', `${PAYMENTS}/disputes?filter=${filter}`)).disputes[0]
  await expect.poll(read, { interval: 100 }).toBeDefined()
  const { id } = await read()
  await client.ok('PUT', `${PAYMENTS}/disputes/${id}/evidence`, {
    evidence: { uncategorized_text: 'losing_evidence', customer_name: 'marktext 10' },
  })
  await client.ok('POST', `${PAYMENTS}/disputes/${id}/submit`)
  await expect.poll(async () => (await read()).state as string, { interval: 100 }).toBe('lost')
}

/** Both are in the audit log with what was sent. */
async function heldAndReleased(uuid: string): Promise<void> {
  await client.ok(
    'PUT',
    `${PRIVACY}/customers/${uuid}/legal_hold`,
    { legal_hold: { reason: 'marktext 11 of Zephyrine Quillfeather' } },
    { idempotencyKey: randomUUID() },
  )
  await client.ok('DELETE', `${PRIVACY}/customers/${uuid}/legal_hold`)
  await client.ok('PUT', `${PAYMENTS}/customers/${uuid}`, {
    ...PROFILE,
    metadata: { passport: 'marktext 12' },
  })
}

type Settings = Record<string, { views: { name: string; filter: string }[] }>

async function saveViews(cookie: string, settings: Settings): Promise<void> {
  for (const [list, body] of Object.entries(settings)) {
    const kept = await callConsole(service, 'PUT', `/list_settings/${list}`, { cookie, body })
    expect(kept.status).toBe(200)
  }
}

async function savedViews(cookie: string): Promise<Settings> {
  const reply = await callConsole(service, 'GET', '/list_settings', { cookie })
  return ((await reply.json()) as { list_settings: Settings }).list_settings
}

async function exportOf(uuid: string): Promise<{ table: string; row: object }[]> {
  const reply = await fetch(`${client.sandbox.base_url}${PRIVACY}/customers/${uuid}/export.jsonl`, {
    headers: { authorization: `Bearer ${client.sandbox.api_key}` },
  })
  const lines = (await reply.text()).trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line) as { table: string; row: object })
}

// Proves reference/personal-data#export, reference/personal-data#erasure, reference/logs#chain.
test('after an erasure no table holds anything of the customer, and verify is clean', async () => {
  await client.ok('POST', '/svc/event/api/v1/openapi/endpoints', { endpoint: { url: receiver.url } })
  const { uuid } = await client.createCustomer({
    ...PROFILE,
    reference_number: REFERENCE,
    metadata: { passport: 'marktext 0' },
  })
  await client.createCustomer({ name: 'Zephyr Chan', email: 'zephyr@other.example' })
  await declinedCard(uuid)
  await payments(uuid)
  const plan = await planOf(uuid)
  await issuedCard()
  await lostDispute(uuid)
  await heldAndReleased(uuid)
  await billingDetails(uuid)
  await note(uuid)
  await createPerson(service, { email: 'clerk@shop.example' })
  const cookie = await signIn(service, 'clerk@shop.example')
  const invoice = await invoiced(uuid, cookie)
  await expect.poll(findMarkers).toContain('request_log.bodies')

  const lines = await exportOf(uuid)
  const tables = new Set(lines.map(({ table }) => table))
  for (const table of [
    'customers',
    'payment_tokens',
    'orders',
    'transactions',
    'recurring_plans',
    'disputes',
    'cards',
    'billing_details',
  ])
    expect(tables).toContain(table)
  for (const table of ['wallets', 'events', 'deliveries', 'request_log', 'audit_entries'])
    expect(tables).toContain(table)
  expect(JSON.stringify(lines)).toContain('marktext 0')
  expect(JSON.stringify(lines)).not.toContain('sealed')
  expect(await findMarkers()).toContainEqual(expect.stringMatching(/deliveries.attempts.*no place for/))

  const ofOthers = { name: 'Large', filter: 'initial_total >= 1000' }
  await saveViews(cookie, {
    customers: {
      views: [
        { name: 'Zephyrine', filter: `email = "${PROFILE.email.toUpperCase()}"` },
        { name: 'marktext 13', filter: `created_at > "2026-01-01" AND reference_number = "${REFERENCE}"` },
        { name: 'marktext 14', filter: 'NOT (phone = "9823 0147" OR name = "Ada")' },
      ],
    },
    orders: { views: [{ name: 'marktext 15', filter: `customer_uuid = "${uuid}"` }, ofOthers] },
    cards: { views: [{ name: 'marktext 16', filter: `p_user_id = "${REFERENCE}"` }] },
  })

  receiver.reply = replyWith(200)
  const { erasure_check: check } = await client.ok('GET', `${PRIVACY}/customers/${uuid}/erasure_check`)
  expect(check).toMatchObject({ can_be_erased: true, blockers: [], legal_hold: null })
  const ask = () =>
    client.call('POST', `${PRIVACY}/customers/${uuid}/erasures`, undefined, { idempotencyKey: 'erase-once' })
  const [first, second] = await Promise.all([ask(), ask()])
  expect([first.status, second.status]).toContain(200)
  const { erasure } = (first.status === 200 ? first : second).data
  expect((await ask()).data.erasure.id).toBe(erasure.id)
  const done = await completed(erasure.id)
  expect(done).toMatchObject({ customer_uuid: uuid, cause: 'request', erased_rows: { customers: 1 } })

  expect(await findMarkers()).toEqual([])
  expect(await savedViews(cookie)).toEqual({
    customers: { views: [] },
    orders: { views: [ofOthers] },
    cards: { views: [] },
  })
  expect((await client.ok('GET', `${PAYMENTS}/customers/${uuid}`)).customer).toMatchObject({
    name: '[erased]',
    reference_number: `erased-${uuid}`,
    erased_at: expect.any(String) as string,
  })
  expect(await client.events(uuid)).toMatchObject([{ type: 'customer.erased', data: { customer: { uuid } } }])
  const refused = await Promise.all([
    client.call('PUT', `${PAYMENTS}/customers/${uuid}`, { name: 'New', phone: '1' }),
    client.call('POST', `${PAYMENTS}/customers/${uuid}/payment_tokens`, {
      payment_token: cardToBind('4242424242424242'),
    }),
    client.call('POST', `${PAYMENTS}/orders`, {
      order: { reference_number: randomUUID(), currency: 'HKD', initial_total: 1, customer_uuid: uuid },
    }),
    client.call('POST', `${PRIVACY}/customers/${uuid}/erasures`),
    client.call('POST', `${PLANS}/${plan}/reactivate`),
  ])
  expect(refused.map(({ data }) => data.error.reason)).toEqual(refused.map(() => 'customer_erased'))

  const { credit_note: later } = await client.ok('POST', `${BILLING}/invoices/${invoice}/credit_notes`, {
    credit_note: { amount: 20, reason: 'Less than agreed' },
  })
  expect(later.buyer).toMatchObject({ name: 'Marmalade Holdings' })
  const logged = /^request_log\.(?:bodies|response_body):?/
  const found = await findMarkers()
  // The response shows the document, which stays as long as the law says; the log of requests has it for its own period.
  expect(found.filter((place) => !logged.test(place))).toEqual([])
  const issued = await client.events(later.id)
  expect(issued).toMatchObject([
    { type: 'credit_note.issued', data: { credit_note: { total: 20, buyer: { name: '[erased]' } } } },
  ])
  const { exitCode, stdout } = await runInProcess(service.env, ['verify', '--json'])
  expect([exitCode, JSON.parse(stdout)]).toEqual([0, { breaches: [] }])
})

interface Kept {
  readonly place: string
  readonly text: string
}

/** The logs and other texts of the business that name none of the ids. */
async function textsOfOthers(ids: readonly string[]): Promise<Kept[]> {
  const { rows } = await admin.query<Kept>(`
    select 'audit ' || business_id || sequence as place, document::text as text from audit_entries
     where action <> 'audit_entries.erase'
    union all
    select 'request ' || id, concat_ws(' ', path, query, idempotency_key) from request_log
    union all
    select 'request ' || id || ' ' || place, other::text
      from request_log, json_array_elements(others) with ordinality o (other, place)
    union all
    select 'reply ' || id, body::text from idempotency_keys
    union all
    select 'bulk ' || id, concat_ws(' ', filter, options::text) from bulk_actions
     order by 1`)
  const { rows: logged } = await admin.query<{ id: string; bodies: Buffer }>(
    'select id, bodies from request_log where bodies is not null order by id',
  )
  const bodies = logged.flatMap((row) =>
    (JSON.parse(decompress(row.bodies).toString()) as (string | null)[][]).map((pair, place) => ({
      place: `bodies ${row.id} ${place}`,
      text: pair.join(' '),
    })),
  )
  return [...rows, ...bodies].filter(({ text }) => !ids.some((id) => text.includes(id)))
}

// Proves reference/personal-data#erasure, reference/personal-data#export.
test('an erasure leaves what is about others, whatever the customer is called, and an export does not show it', async () => {
  const erased = await client.createCustomer({
    name: 'created_at',
    reference_number: '12345',
    phone: '98000',
    email: 'order@shop.example',
  })
  const other = await client.createCustomer({ name: 'Ada Chan', reference_number: '123456' })
  const { token } = await client.bind(erased.uuid, cardToBind('4242424242424242'))
  const own = await client.createOrder({ customer_uuid: erased.uuid })
  await client.pay(own.number, token)
  const ofOther = await client.createOrder({
    customer_uuid: other.uuid,
    initial_total: 12345,
    reference_number: '12345',
  })
  await client.ok(
    'POST',
    `${PAYMENTS}/orders/void`,
    { order: { number: ofOther.number } },
    { idempotencyKey: '12345' },
  )
  for (const uuid of [erased.uuid, other.uuid]) {
    await client.ok('PUT', `${PRIVACY}/customers/${uuid}/legal_hold`, {
      legal_hold: { reason: 'Case 12345' },
    })
    await client.ok('DELETE', `${PRIVACY}/customers/${uuid}/legal_hold`)
  }
  const { bulk_action: bulk } = await client.ok('POST', `${PAYMENTS}/bulk_actions`, {
    bulk_action: { action: 'void', filter: 'created_at < "2020-01-01" AND reference_number = "12345"' },
  })
  await expect
    .poll(
      async () => (await client.ok('GET', `${PAYMENTS}/bulk_actions/${bulk.id}`)).bulk_action.state as string,
    )
    .toBe('completed')
  await createPerson(service, { email: 'bookkeeper@shop.example' })
  const cookie = await signIn(service, 'bookkeeper@shop.example')
  const views = {
    orders: {
      views: [{ name: 'created_at', filter: 'created_at > "2026-01-01" AND reference_number = "12345"' }],
    },
    customers: { views: [{ name: '12345', filter: 'created_at > "2026-01-01"' }] },
  }
  await saveViews(cookie, views)

  const exported = await exportOf(erased.uuid)
  expect(JSON.stringify(exported)).not.toContain(other.uuid)
  const actions = exported.flatMap(({ table, row }) =>
    table === 'audit_entries' ? [(row as { action: string; object: { id: string } }).object.id] : [],
  )
  expect(new Set(actions)).toEqual(new Set([erased.uuid]))
  expect(actions).toHaveLength(4)

  await expect
    .poll(async () => JSON.stringify(await textsOfOthers([])))
    .toContain(`${erased.uuid}/export.jsonl`)
  const ids = [erased.uuid, own.number, token]
  const before = await textsOfOthers(ids)
  expect(before.length).toBeGreaterThan(20)
  const { erasure } = await client.ok('POST', `${PRIVACY}/customers/${erased.uuid}/erasures`)
  await completed(erasure.id)
  const after = new Map((await textsOfOthers([])).map(({ place, text }) => [place, text]))
  for (const { place, text } of before) expect([place, after.get(place)]).toEqual([place, text])
  expect(await savedViews(cookie)).toMatchObject(views)
  const { rows } = await admin.query<{ entries: number; with_content: number }>(
    `select count(*)::int as entries, (count(*) filter (where document::text like '%Case%'))::int as with_content
       from audit_entries where object_id = $1 and action like '%hold%'`,
    [erased.uuid],
  )
  expect(rows).toEqual([{ entries: 4, with_content: 0 }])
  const { exitCode, stdout } = await runInProcess(service.env, ['verify', '--json'])
  expect([exitCode, JSON.parse(stdout)]).toEqual([0, { breaches: [] }])
})

import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { textsOfPdf } from '../src/platform/documents/testing/pdf-text.ts'
import { PAYMENTS } from './harness/client.ts'
import { startScenario } from './harness/scenario.ts'

const { client, databaseUrl } = await startScenario({ env: { ACQUIRER_TIMEOUT_MS: '5000' } })

interface LinkedOrder {
  readonly number: string
  readonly link: string
}

async function makeOrder(members: Record<string, unknown> = {}): Promise<LinkedOrder> {
  const { order, payment_link: link } = await client.ok('POST', `${PAYMENTS}/orders?with_payment_link=true`, {
    order: { reference_number: `order-${randomUUID()}`, currency: 'HKD', initial_total: 100, ...members },
  })
  return { number: order.number, link }
}

async function attemptOf(link: string): Promise<string> {
  const page = await (await fetch(link)).text()
  return /name="attempt" value="([\w-]+)"/.exec(page)?.[1] ?? ''
}

const CARD = { method: 'credit_card', expiry: '12/49', cvc: '123', name: 'CHAN TAI MAN' }

/** Sends the form as the page's script does. */
async function send(link: string, form: Record<string, string>): Promise<Response> {
  return fetch(link, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ ...CARD, number: '4242424242424242', ...form }),
  })
}

async function downloadLink(number: string): Promise<string> {
  const data = await client.ok('POST', `${PAYMENTS}/orders/check?with_download_link=true`, {
    order: { number },
  })
  return data.download_link
}

// Proves reference/pages#links, reference/pages#payment-page, reference/orders#payment-links.
test('a form that is sent twenty times at once is paid once', async () => {
  const { number, link } = await makeOrder()
  const attempt = await attemptOf(link)
  const replies = await Promise.all(Array.from({ length: 20 }, () => send(link, { attempt })))
  expect(replies.map((reply) => reply.status)).toEqual(replies.map(() => 200))
  const order = await client.checkOrder(number)
  expect(order).toMatchObject({ state: 'completed', paid_total: '100.00' })
  expect(order.transactions).toHaveLength(1)
  expect(order.transactions[0]).toMatchObject({
    payment_method: 'credit_card',
    payment_data: {
      payment_method: 'credit_card',
      acquirer_type: 'card',
      last_4_digits: '4242',
      credit_card_type: 'visa',
    },
  })
})

test('an order that is open in ten windows is paid once', async () => {
  const { number, link } = await makeOrder()
  const attempts = await Promise.all(Array.from({ length: 10 }, () => attemptOf(link)))
  await Promise.all(attempts.map((attempt) => send(link, { attempt })))
  const order = await client.checkOrder(number)
  expect(order.paid_total).toBe('100.00')
  expect(order.transactions.filter((transaction: { success: boolean }) => transaction.success)).toHaveLength(
    1,
  )
})

test('a forged link is 404: a page for a browser, the envelope for a program', async () => {
  const { link, number } = await makeOrder()
  const document = await downloadLink(number)
  for (const good of [link, document]) {
    const forged = good.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
    const page = await fetch(forged)
    expect(page.status).toBe(404)
    expect(page.headers.get('content-type')).toContain('text/html')
    const envelope = await fetch(forged, { headers: { accept: 'application/json' } })
    expect(await envelope.json()).toMatchObject({
      code: 40493,
      data: { error: { reason: 'page_not_found' } },
    })
  }
  // The signature covers the purpose.
  expect((await fetch(link.replace('/pay/', '/documents/'))).status).toBe(404)
})

test('the links of a voided or expired order are 410, those of a paid order 200', async () => {
  const voided = await makeOrder()
  const voidedDocument = await downloadLink(voided.number)
  await client.ok('POST', `${PAYMENTS}/orders/void`, { order: { number: voided.number } })
  const expired = await makeOrder({ timeout: { timer: '60' }, return_url: 'https://shop.example.com/done' })
  const document = await downloadLink(expired.number)
  const paid = await makeOrder()
  await send(paid.link, { attempt: await attemptOf(paid.link) })
  await client.advanceBy('PT2M')
  expect((await fetch(voided.link)).status).toBe(410)
  const page = await fetch(expired.link)
  expect(page.status).toBe(410)
  expect(await page.text()).toContain('result=expired')
  for (const [address, said] of [
    [document, 'The time to pay this order is over.'],
    [voidedDocument, 'The merchant has cancelled this order.'],
  ] as const) {
    const refusal = await fetch(address)
    expect(refusal.status).toBe(410)
    expect(await refusal.text()).toContain(said)
    const envelope = await fetch(address, { headers: { accept: 'application/json' } })
    expect(await envelope.json()).toMatchObject({ data: { error: { reason: 'order_closed' } } })
  }
  const said = await fetch(paid.link)
  expect(said.status).toBe(200)
  expect(await said.text()).toContain('This order is paid in full')
  await send(paid.link, { attempt: randomUUID() })
  expect((await client.checkOrder(paid.number)).transactions).toHaveLength(1)
})

test('a payer who is on the page when the time runs out goes to the timeout’s URL', async () => {
  const url = 'https://shop.example.com/too-late'
  const { link } = await makeOrder({ timeout: { timer: '60', url }, return_url: 'https://shop.example.com/' })
  const attempt = await attemptOf(link)
  await client.advanceBy('PT2M')
  const response = await send(link, { attempt })
  expect(await response.json()).toMatchObject({ version: 'expired', end: url })
  const page = await fetch(link, { redirect: 'manual' })
  expect(page.status).toBe(410)
  expect(await page.text()).toContain(`href="${url}"`)
})

async function makePlan(timeout: object): Promise<{ id: string; link: string; number: string }> {
  const customer = await client.createCustomer()
  const item = await client.createItem(50)
  const plan = await client.createPlan({
    customer_uuid: customer.uuid,
    timeout,
    recurring_cycles: [
      {
        billing_count: null,
        recurring_billing_config: 'FREQ=MONTHLY',
        recurring_items: [{ quantity: 1, recurring_item_id: item }],
      },
    ],
  })
  await client.advanceBy('PT1M')
  const { current_payment_link: link, current_order: order } = await client.getPlan(plan.id)
  return { id: plan.id, link, number: order.order_number }
}

test('the link of a plan’s order closes with the timeout and redirects, and a check makes a new link', async () => {
  const { link, number } = await makePlan({ timer: 'PT1H', url: 'https://shop.example.com/too-late' })
  expect((await fetch(link)).status).toBe(200)
  await client.advanceBy('PT1H')
  const closed = await fetch(link, { redirect: 'manual' })
  expect(closed.status).toBe(302)
  expect(closed.headers.get('location')).toBe('https://shop.example.com/too-late')
  for (const form of [link, `${link}/cancel`]) {
    const sent = await fetch(form, { method: 'POST', body: new URLSearchParams(CARD) })
    expect(new URL(sent.url).origin).toBe(new URL(link).origin)
    expect(sent.status).toBe(410)
    const page = await sent.text()
    expect(page).toContain('The time to pay this order is over.')
    expect(page).toContain('href="https://shop.example.com/too-late"')
  }
  await send(link, { attempt: randomUUID() })
  const checked = await client.ok('POST', `${PAYMENTS}/orders/check?with_payment_link=true`, {
    order: { number },
  })
  expect(checked.order.paid_total).toBe('0.00')
  expect((await fetch(checked.payment_link)).status).toBe(200)
  await send(checked.payment_link, { attempt: await attemptOf(checked.payment_link) })
  expect((await client.checkOrder(number)).state).toBe('completed')
})

test('a plan still shows its link after the timeout closed it', async () => {
  const { id, number } = await makePlan({ timer: 'PT1H', url: 'https://shop.example.com/too-late' })
  await client.advanceBy('PT1H')
  const isClosed = async () => {
    const { current_payment_link: link } = await client.getPlan(id)
    return (await fetch(link, { redirect: 'manual' })).status === 302
  }
  expect(await isClosed()).toBe(true)
  // A check makes a new link for its caller only.
  await client.ok('POST', `${PAYMENTS}/orders/check?with_payment_link=true`, { order: { number } })
  expect(await isClosed()).toBe(true)
})

test('an invoice shows the payment link until the timeout closes it', async () => {
  const { link, number } = await makePlan({ timer: 'PT1H' })
  const invoice = await downloadLink(number)
  const textsOf = async () => textsOfPdf(Buffer.from(await (await fetch(invoice)).bytes())).join('')
  expect(await textsOf()).toContain(new URL(link).pathname.split('.')[0])
  await client.advanceBy('PT1H')
  expect(await textsOf()).not.toContain('/pay/')
})

test('an order with a payment of unknown outcome takes no second payment and shows the result once it is known', async () => {
  const { link, number } = await makeOrder()
  const response = await send(link, { attempt: await attemptOf(link), number: '4000000000000127' })
  expect(await response.json()).toMatchObject({ version: 'processing', waiting: true })
  expect(await (await fetch(link)).text()).not.toContain('name="attempt"')
  await client.advanceBy('PT2H')
  const status = await fetch(link.replace(/$/, '/status'), { headers: { accept: 'application/json' } })
  expect(await status.json()).toMatchObject({ version: 'paid', waiting: false })
  expect((await client.checkOrder(number)).transactions).toHaveLength(1)
})

test('no response contains what the payer typed', async () => {
  const { link } = await makeOrder()
  for (const number of ['4000000000009995', '4242424242424241']) {
    const body = new URLSearchParams({ ...CARD, number, attempt: await attemptOf(link) })
    const response = await fetch(link, { method: 'POST', body })
    const page = await response.text()
    expect(page).toMatch(/declined|not valid/)
    expect(page).not.toContain(number)
    expect(page).not.toContain('CHAN TAI MAN')
  }
})

test('pages are not cached, run only their own script and send no referrer', async () => {
  const { link } = await makeOrder()
  const page = await fetch(link)
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toContain('unsafe')
  expect(page.headers.get('referrer-policy')).toBe('no-referrer')
  expect(page.headers.get('cache-control')).toBe('no-store')
  const text = await page.text()
  expect(text).not.toMatch(/<style|\sstyle=|onclick|<script(?! type="module" src=)/)
  const script = /src="(\/checkout\/[^"]+\.js)"/.exec(text)?.[1] ?? ''
  const sent = await fetch(new URL(script, link), { headers: { 'accept-encoding': 'gzip' } })
  expect(sent.headers.get('content-encoding')).toBe('gzip')
  expect(Number(sent.headers.get('content-length'))).toBeLessThan(10_000)
})

test('an order’s document is an invoice until it is paid, then a receipt', async () => {
  const { link, number } = await makeOrder()
  const invoice = await fetch(await downloadLink(number))
  expect(invoice.headers.get('content-type')).toBe('application/pdf')
  expect(invoice.headers.get('content-disposition')).toContain('invoice-')
  await send(link, { attempt: await attemptOf(link) })
  const receipt = await fetch(await downloadLink(number))
  expect(receipt.headers.get('content-disposition')).toContain('receipt-')
  expect((await receipt.bytes()).byteLength).toBeGreaterThan(5_000)
})

test('the payment link is shown as a QR code', async () => {
  const { link } = await makeOrder()
  const code = await fetch(`${link}/qr.svg`)
  expect(code.headers.get('content-type')).toBe('image/svg+xml')
  expect(await code.text()).toContain('<svg')
})

test('a card is saved as the customer’s token only when the payer asks for it', async () => {
  const customer = await client.createCustomer()
  const [saving, other] = [
    await makeOrder({ customer_uuid: customer.uuid }),
    await makeOrder({ customer_uuid: customer.uuid }),
  ]
  await send(other.link, { attempt: await attemptOf(other.link), number: '5555555555554444' })
  await send(saving.link, { attempt: await attemptOf(saving.link), save: 'yes' })
  const { payment_tokens: tokens } = await client.ok(
    'GET',
    `${PAYMENTS}/customers/${customer.uuid}/payment_tokens`,
  )
  expect(tokens).toMatchObject([
    { state: 'active', default: true, credit_card: { number: '424242******4242' } },
  ])
  // An order without a customer has nobody to save a card for.
  const { link } = await makeOrder()
  expect(await (await fetch(link)).text()).not.toContain('name="save"')
})

test.each(['canceled', 'declined by the bank', 'declined', 'confirmed'])(
  'a payment that is not approved at once saves no card: %s',
  async (outcome) => {
    const customer = await client.createCustomer()
    const { link } = await makeOrder({ customer_uuid: customer.uuid })
    const number = outcome === 'declined' ? '4000000000009995' : '4000002500003155'
    const sent = await send(link, { attempt: await attemptOf(link), number, save: 'yes' })
    const { next } = (await sent.json()) as { next: string }
    if (outcome === 'canceled') await fetch(`${link}/cancel`, { method: 'POST', redirect: 'manual' })
    if (outcome === 'declined by the bank') await fetch(next.replace(/page$/, 'decline'), { method: 'POST' })
    if (outcome === 'confirmed') await fetch(next.replace(/page$/, 'confirm'), { method: 'POST' })
    const page = await (await fetch(link)).text()
    expect(page.includes('This order is paid in full')).toBe(outcome === 'confirmed')
    const { payment_tokens: tokens } = await client.ok(
      'GET',
      `${PAYMENTS}/customers/${customer.uuid}/payment_tokens`,
    )
    expect(tokens).toEqual([])
  },
)

// Proves reference/pages#processing.
test('no failure after the charge makes the page say that nothing was charged', async () => {
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  onTestFinished(() => database.end())
  const refuse = (table: string, condition = 'false') =>
    database.query(`alter table ${table} add constraint refused check (${condition}) not valid`)
  const accept = (table: string) => database.query(`alter table ${table} drop constraint refused`)

  await refuse('payment_tokens')
  const customer = await client.createCustomer()
  const unsaved = await makeOrder({ customer_uuid: customer.uuid })
  const reply = await send(unsaved.link, { attempt: await attemptOf(unsaved.link), save: 'yes' })
  await accept('payment_tokens')
  expect(await reply.json()).toMatchObject({ version: 'paid' })

  const { link } = await makeOrder()
  const attempt = await attemptOf(link)
  await refuse('transactions', "state <> 'succeeded'")
  const body = new URLSearchParams({ ...CARD, number: '4242424242424242', attempt })
  const page = await fetch(link, { method: 'POST', body })
  await accept('transactions')
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('Please do not pay again')
})

test('a card that the merchant is binding is not mistaken for one that the payer saves', async () => {
  const customer = await client.createCustomer()
  const number = '4000002500003155'
  await client.bindCard(customer.uuid, number, { return_url: 'https://shop.example.com/cards' })
  const { link } = await makeOrder({ customer_uuid: customer.uuid })
  const response = await send(link, { attempt: await attemptOf(link), number })
  const { next } = (await response.json()) as { next: string }
  await fetch(next.replace(/page$/, 'confirm'), { method: 'POST' })
  const page = await (await fetch(link)).text()
  expect(page).toContain('This order is paid in full')
  expect(page).not.toContain('/verify/')
})

test('a form that is larger than a page’s own is refused unread', async () => {
  const { link, number } = await makeOrder()
  const response = await fetch(link, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'a&'.repeat(10_000),
  })
  expect(response.status).toBe(413)
  const longest = { attempt: randomUUID(), name: '😀'.repeat(255) }
  const body = new URLSearchParams({ ...CARD, number: '4242424242424242', ...longest })
  expect((await fetch(link, { method: 'POST', body, redirect: 'manual' })).status).toBe(303)
  expect(await client.checkOrder(number)).toMatchObject({ state: 'completed' })
})

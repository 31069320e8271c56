import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { connectForTenant, untilWaiting } from '#platform/testing/database'
import { newPayer, screenshot, seriousFaults } from './checkout-browser.ts'
import { PAYMENTS } from './harness/client.ts'
import { startScenario } from './harness/scenario.ts'
import { sharedBrowser } from './harness/shared-browser.ts'

const unlimited = await startScenario()
const limited = await startScenario({ env: { RATE_LIMIT: '500' } })
const browser = await sharedBrowser()

type Client = (typeof unlimited)['client']

async function makeOrder(client: Client, members: object = {}): Promise<{ number: string; link: string }> {
  const { order, payment_link: link } = await client.ok('POST', `${PAYMENTS}/orders?with_payment_link=true`, {
    order: { reference_number: `order-${randomUUID()}`, currency: 'HKD', initial_total: 100, ...members },
  })
  return { number: order.number, link }
}

const DECLINED = {
  method: 'credit_card',
  number: '4000000000000002',
  expiry: '12/49',
  cvc: '123',
  name: 'CHAN TAI MAN',
}

function submit(link: string, form: Record<string, string>, headers: Record<string, string> = {}) {
  return fetch(link, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: JSON.stringify({ attempt: randomUUID(), ...form }),
  })
}

async function exhaustAttempts(link: string): Promise<void> {
  for (let attempt = 1; attempt <= 10; attempt++) {
    expect((await submit(link, { method: 'wallet_b' })).status).toBe(200)
    await fetch(`${link}/cancel`, { method: 'POST', redirect: 'manual' })
    expect((await submit(link, DECLINED)).status).toBe(200)
  }
}

// Proves reference/pages#attempts, reference/payments#attempts-by-link.
test('an order takes at most 20 attempts through its links, failed and canceled ones together', async () => {
  const { client } = unlimited
  const { number, link } = await makeOrder(client)
  await exhaustAttempts(link)
  for (const form of [{ method: 'wallet_b' }, DECLINED, { ...DECLINED, number: '4242424242424242' }]) {
    const refused = await submit(link, form)
    expect(refused.status).toBe(422)
    expect(await refused.json()).toMatchObject({ version: 'attempts_exhausted', waiting: false })
  }
  const body = new URLSearchParams(DECLINED)
  const page = await fetch(link, { method: 'POST', body })
  expect(page.status).toBe(422)
  expect(await page.text()).toContain('No more attempts are possible')
  expect((await client.checkOrder(number)).transactions).toHaveLength(20)
  for (const [language, text] of [
    ['en', 'No more attempts are possible'],
    ['zh-Hant', '不能再嘗試付款'],
    ['zh-Hans', '无法再尝试付款'],
  ]) {
    const shown = await (await fetch(`${link}?lang=${language}`)).text()
    expect(shown).toContain(text)
    expect(shown).not.toContain('name="attempt"')
  }
})

test('attempts that time out count, and a stored token still pays the order', async () => {
  const { client } = unlimited
  const customer = await client.createCustomer()
  const { token } = await client.bindCard(customer.uuid, '4242424242424242')
  const { number, link } = await makeOrder(client, { customer_uuid: customer.uuid })
  for (let attempt = 1; attempt <= 19; attempt++) await submit(link, DECLINED)
  await submit(link, { method: 'wallet_a_pay' })
  await client.advanceBy('PT24H1M')
  expect((await submit(link, DECLINED)).status).toBe(422)
  const { status } = await client.pay(number, token)
  expect(status).toBe(200)
})

test('an attempt that started before the last one ended does not exceed the cap', async () => {
  const { client, databaseUrl } = unlimited
  const { number, link } = await makeOrder(client)
  for (let attempt = 1; attempt <= 19; attempt++) await submit(link, DECLINED)
  const database = await connectForTenant(databaseUrl, client.sandbox.business_id)
  // Another transaction with the same key holds the attempt up after it has read the order.
  const attempt = randomUUID()
  await database.query('begin')
  await database.query(
    `insert into idempotency_keys (business_id, app_id, endpoint, key, id, fingerprint, created_at)
     select business_id, 'checkout', 'checkout', $1, 'idk_held', '', now() from orders where id = $2`,
    [attempt, number],
  )
  const held = submit(link, { ...DECLINED, attempt })
  await untilWaiting(database, 1)
  expect((await submit(link, DECLINED)).status).toBe(200)
  await database.query('rollback')
  expect((await held).status).toBe(422)
  expect((await client.checkOrder(number)).transactions).toHaveLength(20)
})

test('a payer reads that no more attempts are possible', async () => {
  const { client } = unlimited
  const { link } = await makeOrder(client, { return_url: 'https://shop.example.com/' })
  for (let attempt = 1; attempt <= 19; attempt++) await submit(link, DECLINED)
  const { page, context } = await newPayer(browser)
  await page.goto(link)
  await submit(link, DECLINED)
  await page.getByLabel('Card number').fill('4242424242424242')
  await page.getByLabel('Expiry date').fill('12 / 49')
  await page.getByLabel('Security code').fill('123')
  await page.getByLabel('Name on card').fill('CHAN TAI MAN')
  await page.getByRole('button', { name: /^Pay HK\$/ }).click()
  await page.getByRole('heading', { name: 'No more attempts are possible' }).waitFor()
  expect(await page.getByRole('link', { name: /^Return to/ }).getAttribute('href')).toContain('result=failed')
  expect(await seriousFaults(page)).toEqual([])
  await screenshot(page, 'attempts-exhausted')
  await context.close()
})

// Proves reference/access#rate-limits.
test('a link takes 30 forms a minute, and refuses more with a page and Retry-After', async () => {
  const { client } = limited
  const { link } = await makeOrder(client)
  const other = await makeOrder(client)
  const statuses = await Promise.all(
    Array.from({ length: 40 }, async () => (await submit(link, { method: '' })).status),
  )
  expect(statuses.filter((status) => status === 422)).toHaveLength(30)
  const page = await fetch(`${link}/cancel`, { method: 'POST', headers: { 'accept-language': 'zh-HK' } })
  expect(page.status).toBe(429)
  expect(page.headers.get('content-type')).toContain('text/html')
  expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await page.text()).toContain('請求過多')
  const envelope = await submit(link, { method: '' })
  expect(await envelope.json()).toMatchObject({ data: { error: { reason: 'rate_limited' } } })
  // The page is still shown, and other links have their own limit.
  expect((await fetch(link)).status).toBe(200)
  expect((await submit(other.link, { method: '' })).status).toBe(422)
})

test('a client address sends 300 forms a minute, whatever the links, also forged ones', async () => {
  const { client } = limited
  const { link } = await makeOrder(client)
  const { link: other } = await makeOrder(client)
  const forged = link.replace(/.{3}$/, 'abc')
  const from = { 'x-forwarded-for': '203.0.113.7' }
  const statuses = await Promise.all(
    Array.from({ length: 450 }, async () => (await submit(forged, { method: '' }, from)).status),
  )
  expect(statuses.filter((status) => status === 404)).toHaveLength(300)
  const cancel = (headers: Record<string, string>) =>
    fetch(`${other}/cancel`, { method: 'POST', headers, redirect: 'manual' })
  const cancels = await Promise.all(Array.from({ length: 20 }, async () => (await cancel(from)).status))
  expect(cancels).toContain(429)
  expect((await cancel({ 'x-forwarded-for': '203.0.113.8' })).status).toBe(303)
})

test('a payer who sends too many forms sees how long to wait', async () => {
  const { client } = limited
  const { link } = await makeOrder(client)
  const { page, context } = await newPayer(browser)
  await page.goto(link)
  await Promise.all(Array.from({ length: 40 }, () => submit(link, { method: '' })))
  await page.getByRole('button', { name: /^Pay HK\$/ }).click()
  await page.getByText('Please wait a minute and try again.').waitFor()
  await context.close()
})

test('RATE_LIMIT=0 turns the limits off', async () => {
  const { client } = unlimited
  const { link } = await makeOrder(client)
  const statuses = await Promise.all(
    Array.from({ length: 150 }, async () => (await submit(link, { method: '' })).status),
  )
  expect(new Set(statuses)).toEqual(new Set([422]))
})

import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { screenshot, seriousFaults } from '../checkout-browser.ts'
import { PAYMENTS } from '../harness/client.ts'
import { CONSOLE_SCREENS, createUser, overflowOf, show, signedIn, startConsole } from './console-browser.ts'

const EMAIL = 'owner@example.com'
const RECURRING = `${PAYMENTS}/recurring_payments`
const CARDS = '/svc/ts/api/v1/openapi/cards'
const DELIVERIES = '/svc/event/api/v1/openapi/deliveries'
const scenario = await startConsole({ ALLOW_PRIVATE_WEBHOOKS: '1' })
const { client, url } = scenario
await createUser(scenario, EMAIL)

const receiver = createServer((request, response) => {
  request.resume()
  response.writeHead(500).end('not today')
}).listen(0, '127.0.0.1')
await once(receiver, 'listening')
// No receiver gets the events of this order.
const [before] = await client.events((await client.createOrder()).number)
afterAll(() => receiver.close())
await client.ok('POST', '/svc/event/api/v1/openapi/endpoints', {
  endpoint: { url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook` },
})

const customer = await client.createCustomer({ name: 'Wong Siu Ming', email: 'wong@example.com' })
const { token } = await client.bindCard(customer.uuid, '5555555555554444')
const order = await client.createOrder({
  reference_number: `kettle-${randomUUID()}`,
  customer_uuid: customer.uuid,
})
const paid = await client.pay(order.number, token)
const { uuid } = paid.data.transaction
const { recurring_item: item } = await client.ok('POST', `${RECURRING}/items`, {
  recurring_item: { label: 'Gold membership', price: 88.5, currency: 'HKD' },
})
const { plan } = await client.ok('POST', `${RECURRING}/plan`, {
  plan: {
    name: 'Gold of Wong Siu Ming',
    customer_uuid: customer.uuid,
    default_collection_method: 'charge_automatically',
    payment_retry_count: 3,
    payment_retry_day_period: 2,
    grace_period: 5,
    recurring_cycles: [
      {
        billing_count: null,
        recurring_billing_config: 'FREQ=MONTHLY;BYMONTHDAY=31',
        recurring_items: [{ recurring_item_id: item.id, quantity: 2 }],
      },
    ],
  },
})
const { card } = await client.ok('POST', CARDS, {
  card: {
    reference_id: `card-${randomUUID()}`,
    type: 'virtual',
    mode: 'B2C',
    settlement_currency: 'HKD',
    title: 'Travel card',
    limits: [
      { period: 'Daily', limit_amount: '1000.00' },
      { period: 'Transaction', limit_amount: '500.00' },
    ],
    spending_controls: { blocked_countries: ['AQ'], count_limits: [{ period: 'Daily', count: 9 }] },
  },
})
await client.ok('POST', `${CARDS}/link`, { card_reference_id: card.reference_id, p_user_id: 'u-1' })
await client.ok('POST', `${CARDS}/${card.id}/authorizations`, {
  authorization: {
    amount: '120.00',
    currency: 'HKD',
    merchant: { name: 'Star Ferry', mcc: '4111', country: 'HK' },
    reference_id: randomUUID(),
  },
})
const { digital_wallet: wallet } = await client.ok('POST', '/svc/ts/api/v1/openapi/digital_wallets', {
  digital_wallet: { p_user_id: 'u-1' },
})
const CATALOGUE = '/svc/billing/api/v1/openapi'
const { product } = await client.ok('POST', `${CATALOGUE}/products`, {
  product: { name: 'Team', unit_label: 'seat' },
})
await client.ok('POST', `${CATALOGUE}/prices`, {
  price: {
    product_id: product.id,
    currency: 'EUR',
    model: 'volume',
    tiers: [
      { up_to: 1_000, unit_amount: 0 },
      { up_to: 10_000, unit_amount: 0.01 },
      { up_to: null, unit_amount: 0.005 },
    ],
  },
})
const { coupon } = await client.ok('POST', `${CATALOGUE}/coupons`, {
  coupon: {
    name: 'Welcome',
    amount_off: 5,
    currency: 'HKD',
    times: 3,
    max_redemptions: 100,
    redeem_until: '2099-12-31',
    product_ids: [product.id],
  },
})
await client.ok('POST', `${CATALOGUE}/promotion_codes`, {
  promotion_code: { coupon_id: coupon.id, code: 'WELCOME', customer_uuid: customer.uuid },
})
const { dunning_policy: policy } = await client.ok('POST', `${CATALOGUE}/dunning_policies`, {
  dunning_policy: {
    name: 'Three tries',
    steps: [{ after_days: 3, at_time: '09:00' }, { after_days: 7 }],
    soft: [{ decline_codes: ['insufficient_funds'], steps: [{ days_of_month: [1, 15] }] }],
  },
})
const [event] = await client.events(order.number)
const logged = await client.call('GET', `${PAYMENTS}/customers/ref/nobody`)

const PAGES = [
  ['/transactions', 'Transactions'],
  [`/transactions/${uuid}`, '100.00 HKD'],
  [`/orders/${order.number}`, '100.00 HKD'],
  ['/customers', 'Customers'],
  [`/customers/${customer.uuid}`, 'Wong Siu Ming'],
  ['/plans', 'Plans'],
  ['/plans/new', 'New plan'],
  [`/plans/${plan.id}`, 'Gold of Wong Siu Ming'],
  ['/products', 'Products'],
  [`/products/${product.id}`, 'Team'],
  ['/dunning-policies', 'Dunning policies'],
  [`/dunning-policies/${policy.id}`, 'Three tries'],
  ['/coupons', 'Coupons'],
  [`/coupons/${coupon.id}`, 'Welcome'],
  ['/cards', 'Cards'],
  [`/cards/${card.id}`, `Visa •••• ${card.last_4_digits}`],
  ['/wallets', 'Wallets'],
  [`/wallets/${wallet.id}`, 'Wallet of u-1'],
  ['/disputes', 'Disputes'],
  ['/reconciliations', 'Reconciliations'],
  ['/events', 'Events'],
  [`/events/${order.number}/${event.id}`, event.type],
  ['/deliveries', 'Webhook deliveries'],
  ['/requests', 'Request log'],
  [`/requests/${logged.headers.get('x-request-id')}`, 'GET /customers/ref/nobody'],
  ['/audit', 'Audit log'],
  ['/sandbox', 'Sandbox'],
] as const

describe.each(Object.entries(CONSOLE_SCREENS))('on a %s', async (name, screen) => {
  const visitor = await signedIn(scenario, EMAIL, screen)
  const { page, context, pageErrors } = visitor
  afterAll(() => context.close())

  test.each(PAGES)('%s fits the screen, is accessible and loads without an error', async (path, heading) => {
    await show(visitor, `${url}${path}`, heading)
    expect(await seriousFaults(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
    await screenshot(page, `${name}-${path.replaceAll(/\W+/g, '-')}`)
    expect(pageErrors.splice(0)).toEqual([])
  })
})

/** A list, an object with parts that are loaded later, and a form. */
const IN_PARTS = PAGES.filter(([path]) =>
  ['/plans', '/plans/new', `/plans/${plan.id}`, `/orders/${order.number}`].includes(path),
)

test.each(IN_PARTS)('%s stays on the screen while parts of it load their texts', async (path, heading) => {
  const visitor = await signedIn(scenario, EMAIL)
  const { page, context } = visitor
  // React hides a part that waits by `display: none !important`. A skeleton has no text.
  await page.addInitScript(`
    globalThis.hidden = []
    new MutationObserver((changes) => {
      for (const { target } of changes)
        if (target.style.getPropertyPriority('display') === 'important') hidden.push(target.textContent)
    }).observe(document, { subtree: true, attributeFilter: ['style'] })
  `)
  await show(visitor, `${url}${path}`, heading)
  expect(await page.evaluate('hidden.filter((text) => text)')).toEqual([])
  await context.close()
})

describe('on the lists', async () => {
  const { page, context } = await signedIn(scenario, EMAIL)
  afterAll(() => context.close())

  test('a view of cards shows those in its state, and a filter those with the last digits', async () => {
    await page.goto(`${url}/cards`)
    await page.getByRole('button', { name: 'Locked', exact: true }).click()
    await page.getByText('Nothing matches this filter').waitFor()
    await page.goto(`${url}/cards?filter=${encodeURIComponent(`last_4_digits = ${card.last_4_digits}`)}`)
    await page.getByRole('link', { name: `Visa •••• ${card.last_4_digits}` }).waitFor()
  })

  test('the id of an event opens it, whether it was delivered or not, and that of a delivery finds it', async () => {
    const [delivered] = await client.all(DELIVERIES, 'deliveries', { event_id: event.id })
    await page.goto(`${url}/find/${event.id}`)
    await page.waitForURL(`**/events/${order.number}/${event.id}?**`)
    await page.goto(`${url}/find/${before.id}`)
    await page.waitForURL(`**/events/${before.object_id}/${before.id}?**`)
    await page.goto(`${url}/find/${delivered.id}`)
    await page.getByText('1 row', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await page.getByRole('dialog').getByText(order.number).first().waitFor()
  })
})

test('the timeline of an order leads to the delivery of an event', async () => {
  const { page, context } = await signedIn(scenario, EMAIL)
  await page.goto(`${url}/orders/${order.number}`)
  await page
    .getByRole('link', { name: /^Webhook: / })
    .first()
    .click()
  await page.getByRole('heading', { name: 'Webhook deliveries', level: 1 }).waitFor()
  await page.getByText(/^1 rows?$/).waitFor()
  await context.close()
})

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTwin, type TwinProcess } from '../common/twin-process.ts'
import { connectSdk } from './testing.ts'
import { sharedBrowser } from '../../scenarios/harness/shared-browser.ts'

let twin: TwinProcess
const browser = await sharedBrowser()
let shop: Server
let shopUrl: string

beforeAll(async () => {
  twin = await startTwin('stripe')
  // The shop has another origin than Stripe's script, as real shops do.
  shop = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(`<!doctype html><script src="${twin.url}/basil/stripe.js"></script><div id="card"></div>`)
  })
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
  shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/`
})
afterAll(async () => {
  shop.close()
  await twin.stop()
})

test('a card typed into an element becomes a payment method, and its challenge leads back to the shop', async () => {
  const page = await browser.newPage()
  await page.goto(shopUrl)
  await page.evaluate(`
    window.stripe = Stripe('pk_test_shop')
    window.elements = stripe.elements()
    elements.create('card').mount('#card')
  `)
  await page.getByLabel('Card number').fill('4000 0000 0000 3220')
  expect(await page.evaluate('elements.submit()')).toMatchObject({ error: { code: 'incomplete' } })
  await page.getByLabel('Expiration date').fill('12 / 34')
  await page.getByLabel(/CVC/).fill('123')
  const made = await page.evaluate<{ paymentMethod: { id: string } }>(
    'stripe.createPaymentMethod({ elements })',
  )

  const stripe = connectSdk(twin)
  const intent = await stripe.paymentIntents.create({
    amount: 1200,
    currency: 'eur',
    payment_method: made.paymentMethod.id,
    confirm: true,
    return_url: shopUrl,
  })
  await page.goto(intent.next_action?.redirect_to_url?.url ?? '')
  await page.getByRole('button', { name: 'Complete authentication' }).click()
  await page.waitForURL(`${shopUrl}?payment_intent=${intent.id}**`)
  expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe('succeeded')
})

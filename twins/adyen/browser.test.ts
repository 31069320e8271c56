import { afterAll, beforeAll, expect, test } from 'vitest'
import { newPayer } from '../../scenarios/checkout-browser.ts'
import { CARD, payment, startWitnessedTwin, type WitnessedTwin } from './testing/witness.ts'
import { sharedBrowser } from '../../scenarios/harness/shared-browser.ts'

interface ComponentState {
  readonly isValid: boolean
  readonly data: { readonly paymentMethod: object }
}

let twin: WitnessedTwin
const browser = await sharedBrowser()

beforeAll(async () => {
  twin = await startWitnessedTwin()
})

afterAll(async () => {
  await twin.close()
})

test('the browser component yields a payment method that POST /payments takes', async () => {
  const { context, page, pageErrors } = await newPayer(browser)
  const script = `${twin.url}/checkoutshopper/sdk/6.0.0/adyen.js`
  const style = `${twin.url}/checkoutshopper/sdk/6.0.0/adyen.css`
  await page.route(`${twin.url}/pay`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><link rel="stylesheet" href="${style}"><div id="card"></div>
        <script src="${script}"></script>
        <script type="module">
          const { AdyenCheckout, Card } = window.AdyenWeb
          const checkout = await AdyenCheckout({
            clientKey: 'test_TWIN', environment: 'test', countryCode: 'NL', locale: 'en-US',
            onSubmit: (state) => { window.submitted = state },
          })
          new Card(checkout, { hasHolderName: true, holderNameRequired: true }).mount('#card')
        </script>`,
    }),
  )
  await page.goto(`${twin.url}/pay`)
  const pay = page.getByRole('button', { name: 'Pay' })
  await pay.click()
  expect(await page.getByLabel('Card number').getAttribute('aria-invalid')).toBe('true')
  await page.getByLabel('Card number').fill('4111 1111 1111 1111')
  await page.getByLabel('Expiry date').fill('03/30')
  await page.getByLabel('Security code').fill('737')
  await page.getByLabel('Name on card').fill('John Smith')
  await pay.click()
  const state = await page.evaluate(() => (globalThis as unknown as { submitted: ComponentState }).submitted)
  expect(state.data.paymentMethod).toEqual(CARD)
  expect(pageErrors).toEqual([])
  const answer = await twin.post(
    '/v72/payments',
    payment('component', { paymentMethod: state.data.paymentMethod }),
  )
  expect(answer.body.resultCode).toBe('Authorised')
  await context.close()
})

test('the page of the issuer sends the shopper back to the shop', async () => {
  const { context, page } = await newPayer(browser)
  const returnUrl = `${twin.url}/checkoutshopper/back`
  const card = {
    type: 'scheme',
    number: '4212345678901237',
    expiryMonth: '03',
    expiryYear: '2030',
    cvc: '737',
  }
  const { body } = await twin.post('/v72/payments', payment('page', { paymentMethod: card, returnUrl }))
  await page.goto(body.action.url)
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.waitForURL(`${returnUrl}?**`)
  const redirectResult = new URL(page.url()).searchParams.get('redirectResult')
  const details = await twin.post('/v72/payments/details', { details: { redirectResult } })
  expect(details.body).toMatchObject({ resultCode: 'Authorised', merchantReference: 'page' })
  await context.close()
})

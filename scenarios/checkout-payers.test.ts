import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { startMailServer } from '#platform/mail/testing/mail-server'
import { dataUrl, png } from '#platform/testing/png'
import { eventually } from '#platform/testing/until'
import { newPayer, SCREENS, screenshot, seriousFaults } from './checkout-browser.ts'
import { PAYMENTS } from './harness/client.ts'
import { startScenario } from './harness/scenario.ts'
import { sharedBrowser } from './harness/shared-browser.ts'

const mail = await startMailServer()
afterAll(() => mail.close())
const { client } = await startScenario({
  env: { SMTP_URL: mail.url, MAIL_FROM: 'The Shop <pay@shop.example>' },
})
const browser = await sharedBrowser()

const BRANDING = {
  display_name: 'Harbour Tea',
  logo: dataUrl(png({ width: 160, height: 48 })),
  color: '#ffd400',
  email: 'help@harbourtea.example',
  phone: '+852 2345 6789',
  website: 'https://harbourtea.example/',
  terms_url: 'https://harbourtea.example/terms',
  privacy_url: 'https://harbourtea.example/privacy',
  wallet_names: { wallet_a_pay: 'Peak Pay', wallet_b: 'Tram Wallet' },
}
await client.ok('PUT', '/svc/account/api/v1/openapi/branding', { branding: BRANDING })

async function makeOrder(members: Record<string, unknown> = {}): Promise<{ number: string; link: string }> {
  const { order, payment_link: link } = await client.ok('POST', `${PAYMENTS}/orders?with_payment_link=true`, {
    order: {
      reference_number: `order-${randomUUID()}`,
      currency: 'HKD',
      line_items: [{ purchasable_type: 'Charge', price: 120, quantity: 1, label: 'Teapot' }],
      ...members,
    },
  })
  return { number: order.number, link }
}

async function makeCustomer(numbers: readonly string[] = ['4242424242424242', '5555555555554444']) {
  const email = `amy-${randomUUID()}@example.com`
  const customer = await client.createCustomer({ email })
  for (const number of numbers) await client.bindCard(customer.uuid, number)
  return { uuid: customer.uuid, email }
}

async function codeFor(email: string): Promise<string> {
  const received = await eventually(
    () => mail.received.findLast(({ to }) => to.includes(email)),
    (one) => one !== undefined,
  )
  return /\b\d{6}\b/.exec(received?.text ?? '')?.[0] ?? ''
}

async function askForCode(page: Page, email: string): Promise<void> {
  await page.getByText('Pay with a saved card').click()
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('button', { name: 'Send the code' }).click()
  await page.getByText('a code is on its way').waitFor()
}

async function paymentOf(number: string) {
  const { order } = await client.ok('POST', `${PAYMENTS}/orders/check`, { order: { number } })
  return order
}

// Proves reference/pages#saved-cards.
test.each(Object.entries(SCREENS))(
  'a returning payer proves by a code who they are and pays with a saved card (%s)',
  async (name, screen) => {
    const { uuid, email } = await makeCustomer()
    const { number, link } = await makeOrder({ customer_uuid: uuid })
    const { page, context, pageErrors } = await newPayer(browser, screen)
    await page.goto(link)
    expect(await page.content()).not.toMatch(/4242|4444/)
    await askForCode(page, email.toUpperCase())
    expect(await page.evaluate('document.activeElement.id')).toBe('code')
    expect(await seriousFaults(page)).toEqual([])
    await screenshot(page, `${name}-saved-code`)
    await page.getByLabel('Code', { exact: true }).fill('12 34')
    await page.getByRole('button', { name: 'Show my cards' }).click()
    await page.getByText('This code is wrong').waitFor()
    await page.getByLabel('Code', { exact: true }).fill(await codeFor(email))
    await page.getByRole('button', { name: 'Show my cards' }).click()
    await page.getByLabel(/Visa •••• 4242/).waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await screenshot(page, `${name}-saved-cards`)
    await page.reload()
    await page.getByLabel(/Mastercard •••• 4444/).check()
    await page.getByRole('button', { name: /^Pay HK\$/ }).click()
    await page.getByRole('heading', { name: 'Paid' }).waitFor()
    expect(pageErrors.filter((error) => !error.includes('422'))).toEqual([])
    const order = await paymentOf(number)
    expect(order).toMatchObject({ state: 'completed' })
    await context.close()
  },
)

test('a payer whom the merchant vouches for sees the saved cards at once, and a bank may still ask', async () => {
  const { uuid } = await makeCustomer(['4242424242424242'])
  const { link } = await makeOrder({ customer_uuid: uuid })
  const { customer_session: session } = await client.ok('POST', `${PAYMENTS}/customers/${uuid}/sessions`)
  const { page, context } = await newPayer(browser)
  await page.goto(`${link}?customer_session=${session.token}`)
  await page.getByLabel(/Visa •••• 4242/).waitFor()
  expect(page.url(), 'the token has left the address').not.toContain('customer_session')
  await page.getByRole('button', { name: 'Hide my saved cards' }).click()
  await page.getByText('Pay with a saved card').waitFor()
  expect(await page.content()).not.toContain('•••• 4242')
  await page.reload()
  expect(await page.content()).not.toContain('•••• 4242')
  await context.close()
})

test('whoever holds only the link gains nothing: no cards, no hint of an address, no payment with a token', async () => {
  const { uuid, email } = await makeCustomer(['4242424242424242'])
  const { customer_session: other } = await client.ok(
    'POST',
    `${PAYMENTS}/customers/${(await makeCustomer()).uuid}/sessions`,
  )
  const { number, link } = await makeOrder({ customer_uuid: uuid })
  const { payment_tokens: tokens } = await client.ok('GET', `${PAYMENTS}/customers/${uuid}/payment_tokens`)
  const post = async (path: string, form: Record<string, string>, cookie = '') => {
    const response = await fetch(`${link}${path}`, {
      method: 'POST',
      body: new URLSearchParams(form),
      headers: { accept: 'application/json', cookie },
    })
    const text = await response.text()
    return { status: response.status, text, cookie: response.headers.get('set-cookie') }
  }
  const session = await fetch(`${link}?customer_session=${other.token}`, { redirect: 'manual' })
  expect([session.status, session.headers.get('set-cookie')]).toEqual([303, null])
  for (const cookie of ['', `payer=${other.token}`]) {
    const { status, text } = await post('', { method: `saved:${tokens[0].token}` }, cookie)
    expect(status).toBe(422)
    expect(text).toContain('can no longer be used')
  }
  const shape = ({ status, text }: { status: number; text: string }) =>
    [status, text.replaceAll(/pyc_\w+/g, 'ID').replaceAll(/"attempt\\" value=\\"[\w-]+/g, 'A')] as const
  const [known, unknown] = [await post('/code', { email }), await post('/code', { email: 'eve@example.com' })]
  const named = (text: string) => text.replaceAll(email, 'E').replaceAll('eve@example.com', 'E')
  const [knownStatus, knownText] = shape(known)
  const [unknownStatus, unknownText] = shape(unknown)
  expect([knownStatus, named(knownText)]).toEqual([unknownStatus, named(unknownText)])
  const code = await codeFor(email)
  const idOf = ({ text }: { text: string }) => /pyc_\w+/.exec(text)?.[0] ?? ''
  expect((await post('/proof', { code_id: idOf(unknown), code })).status, 'of another code').toBe(422)
  const wrong = code === '000000' ? '111111' : '000000'
  for (let tries = 0; tries < 5; tries++) {
    expect((await post('/proof', { code_id: idOf(known), code: wrong })).status).toBe(422)
  }
  const late = await post('/proof', { code_id: idOf(known), code })
  expect([late.status, late.cookie], 'the right code after five wrong ones').toEqual([422, null])
  for (let asked = 2; asked < 10; asked++) expect((await post('/code', { email })).status).toBe(200)
  const refused = await post('/code', { email })
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('Too many codes')])
  expect(mail.received.filter(({ to }) => to.includes('eve@example.com'))).toEqual([])
  expect(await paymentOf(number)).toMatchObject({ state: 'open' })
})

test('a code opens the cards once, and works without a script', async () => {
  const { uuid, email } = await makeCustomer(['4242424242424242'])
  const { link } = await makeOrder({ customer_uuid: uuid })
  const { page, context } = await newPayer(browser, { ...SCREENS.desktop, javaScriptEnabled: false })
  await page.goto(link)
  await page.getByText('Pay with a saved card').click()
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('button', { name: 'Send the code' }).click()
  const code = await codeFor(email)
  const id = await page.locator('input[name=code_id]').inputValue()
  await page.getByLabel('Code', { exact: true }).fill(code)
  await page.getByRole('button', { name: 'Show my cards' }).click()
  await page.getByLabel(/Visa •••• 4242/).waitFor()
  const again = await fetch(`${link}/proof`, {
    method: 'POST',
    body: new URLSearchParams({ code_id: id, code }),
    headers: { accept: 'application/json' },
  })
  expect([again.status, again.headers.get('set-cookie')]).toEqual([422, null])
  await page.getByRole('button', { name: /^Pay HK\$/ }).click()
  await page.getByRole('heading', { name: 'Paid' }).waitFor()
  await context.close()
})

const ACCEPTED_BRANDS = [
  'Visa',
  'Mastercard',
  'American Express',
  'UnionPay',
  'JCB',
  'Discover',
  'Diners Club',
]

// Proves reference/pages#branding, reference/pages#payment-page.
test.each(Object.entries(SCREENS))(
  'a page shows whom it is from, in the merchant’s colour and readable (%s)',
  async (name, screen) => {
    const { link } = await makeOrder({ timeout: { timer: 'PT12M' } })
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, context, pageErrors } = await newPayer(browser, { ...screen, colorScheme })
      await page.goto(link)
      expect(await page.evaluate("document.querySelector('.logo').naturalWidth")).toBe(160)
      expect(await page.title()).toContain('Harbour Tea')
      expect(await page.getByRole('link', { name: 'Terms' }).getAttribute('href')).toBe(BRANDING.terms_url)
      await page.getByText('Tram Wallet').waitFor()
      const colors = await page.evaluate(`(() => {
        const button = document.querySelector('form:has([name=amount]) > button')
        return [getComputedStyle(button).backgroundColor, getComputedStyle(button).color]
      })()`)
      expect(colors).toEqual(['rgb(255, 212, 0)', 'rgb(0, 0, 0)'])
      const marks =
        "[...document.querySelectorAll('[data-name=number] :not(.other) > svg')].map((one) => one.ariaLabel)"
      expect(await page.evaluate(marks)).toEqual(ACCEPTED_BRANDS)
      await screenshot(page, `${name}-brand-accepted-${colorScheme}`)
      await page.getByLabel('Card number').pressSequentially('4242')
      // In the row of accepted brands and in the field.
      expect(await page.evaluate(marks)).toEqual(['Visa', 'Visa'])
      const isInside = await page.evaluate(`(() => {
        const [mark, field] = ['#number-brand', '#number'].map((one) => document.querySelector(one).getBoundingClientRect())
        return mark.left > field.left && mark.right < field.right && mark.top > field.top && mark.bottom < field.bottom
      })()`)
      expect(isInside, 'the mark is in the field').toBe(true)
      expect(await seriousFaults(page)).toEqual([])
      expect(pageErrors).toEqual([])
      await screenshot(page, `${name}-brand-${colorScheme}`)
      await context.close()
    }
    const html = await (await fetch(link)).text()
    const [logoPath = ''] = /\/checkout\/logos\/[^"]+/.exec(html) ?? []
    const logo = await fetch(new URL(logoPath, link))
    expect(logo.headers.get('cache-control')).toContain('immutable')
    expect(logo.headers.get('content-security-policy')).toContain('sandbox')
    expect(Buffer.from(await logo.arrayBuffer()).equals(png({ width: 160, height: 48 }))).toBe(true)
    const forged = await fetch(new URL(logoPath.replace(/[0-9a-f]{64}/, 'a'.repeat(64)), link))
    expect(forged.status).toBe(404)
  },
)

// Proves reference/pages#time-left.
test('the time that is left counts down, is announced a few times, and its end shows without a reload', async () => {
  const { link } = await makeOrder({ timeout: { timer: 'PT12M' } })
  const { page, context } = await newPayer(browser)
  await page.clock.install()
  await page.goto(link)
  const time = page.getByRole('timer').locator('.time')
  expect(await time.innerText()).toMatch(/^1[12]:\d\d$/)
  const said = page.locator('#said')
  expect(await said.innerText()).toBe('')
  await page.clock.fastForward('02:30')
  await page.clock.runFor(1_000)
  expect(await time.innerText()).toMatch(/^09:\d\d$/)
  expect(await said.innerText()).toBe('Time left to pay: 10 minutes')
  await client.ok('POST', '/svc/sandbox/api/v1/openapi/clock/advance', { by: 'PT13M' })
  await page.clock.fastForward('10:00')
  await page.clock.runFor(3_000)
  await page.getByRole('heading', { name: 'Expired' }).waitFor()
  await context.close()
})

// Proves reference/pages#time-left.
test('days before the end the page says how long is left and until when, and counts down on the last day', async () => {
  const { link } = await makeOrder({ timeout: { timer: 'P2DT3H30M' } })
  const { page, context, pageErrors } = await newPayer(browser, SCREENS.phone)
  await page.clock.install()
  await page.goto(link)
  const timer = page.getByRole('timer')
  expect(await timer.innerText()).toMatch(
    /^Time left to pay: 2 days, 3 hours, until \d+ \w+ \d{4} at \d\d:\d\d GMT\+8$/,
  )
  expect(await seriousFaults(page)).toEqual([])
  await screenshot(page, 'time-left-days')
  await page.clock.fastForward('27:00:00')
  await page.clock.runFor(1_000)
  expect(await timer.innerText()).toMatch(/^Time left to pay: 1 day, until /)
  await page.clock.fastForward('01:00:00')
  await page.clock.runFor(1_000)
  expect(await timer.innerText()).toMatch(/^Time left to pay: 23:\d\d:\d\d$/)
  expect(pageErrors).toEqual([])
  await context.close()
})

// Proves reference/pages#languages.
test.each([
  ['ja-JP', '今後のお支払いのために', 'ltr'],
  ['th', 'หมายเลขบัตร', 'ltr'],
  ['ar-EG', 'رقم البطاقة', 'rtl'],
  ['pt-BR', 'Número do cartão', 'ltr'],
])('a payer whose browser asks for %s gets the page in that language', async (locale, text, direction) => {
  const { uuid } = await makeCustomer([])
  const { link } = await makeOrder({ customer_uuid: uuid })
  const { page, context, pageErrors } = await newPayer(browser, { ...SCREENS.phone, locale })
  await page.goto(link)
  await page.getByText(text).first().waitFor()
  expect(await page.locator('html').getAttribute('dir')).toBe(direction)
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'fits the screen').toBe(
    true,
  )
  expect(await seriousFaults(page)).toEqual([])
  await screenshot(page, `language-${locale}`)
  await page.locator('.languages > summary').click()
  await screenshot(page, `language-menu-${locale}`)
  await page.getByRole('link', { name: 'Deutsch' }).click()
  await page.getByLabel('Kartennummer').waitFor()
  expect(pageErrors).toEqual([])
  await context.close()
})

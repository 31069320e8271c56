import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { startHttpServer } from '#platform/testing/http-server'
import { IPHONE, newPayer, readCode, SCREENS, screenshot, seriousFaults } from './checkout-browser.ts'
import { PAYMENTS } from './harness/client.ts'
import { startScenario } from './harness/scenario.ts'
import { sharedBrowser } from './harness/shared-browser.ts'

const { client } = await startScenario()
const browser = await sharedBrowser()
const shop = await startHttpServer((_request, response) => response.end('<h1>The shop</h1>'))

async function makeOrder(): Promise<{ number: string; link: string }> {
  const { order, payment_link: link } = await client.ok('POST', `${PAYMENTS}/orders?with_payment_link=true`, {
    order: { reference_number: randomUUID(), currency: 'HKD', initial_total: 88 },
  })
  return { number: order.number, link }
}

async function payByApi(number: string, transaction: object) {
  return client.ok('POST', `${PAYMENTS}/orders/pay`, {
    order: { number },
    transaction: { type: 'Sales', payment_method: 'wallet_a_pay', ...transaction },
  })
}

async function lastOf(number: string) {
  return (await client.checkOrder(number)).transactions.at(-1)
}

// Proves reference/payments#wallets, reference/pages#payment-page.
test.each([
  ['en-US', 'WalletA Pay', 'Confirm in WalletA Pay', 'You declined the payment', 'Paid'],
  ['zh-HK', 'WalletA Pay', '請於 WalletA Pay 確認', '您已拒絕付款', '已付款'],
  ['zh-CN', 'WalletA Pay', '请在 WalletA Pay 中确认', '您已拒绝付款', '已付款'],
])(
  'on a desktop the code is read back, refused, asked for again and paid (%s)',
  async (locale, wallet, title) => {
    const { number, link } = await makeOrder()
    const { page, context, pageErrors } = await newPayer(browser, { ...SCREENS.desktop, locale })
    await page.goto(link)
    await page.getByLabel(wallet).check()
    await page.locator('button[type=submit]').last().click()
    await page.getByRole('heading', { name: title }).waitFor()
    const first = await lastOf(number)
    expect(await readCode(page)).toBe(first.next_action.qr_code)
    const origins = `[...document.images].map((image) => new URL(image.src).origin)`
    expect(new Set(await page.evaluate<string[]>(origins))).toEqual(new Set([new URL(link).origin]))
    expect(await seriousFaults(page)).toEqual([])
    await screenshot(page, `wallet-desktop-${locale}`)
    await answer(first.next_action.qr_code, 'decline')
    await page.getByLabel(wallet).waitFor()
    await screenshot(page, `wallet-refused-${locale}`)
    await page.getByLabel(wallet).check()
    await page.locator('button[type=submit]').last().click()
    await page.getByRole('heading', { name: title }).waitFor()
    const second = await lastOf(number)
    expect(second.uuid).not.toBe(first.uuid)
    expect(await readCode(page)).toBe(second.next_action.qr_code)
    await answer(second.next_action.qr_code, 'confirm')
    await page.locator('h2.good').waitFor()
    expect(await client.checkOrder(number)).toMatchObject({ state: 'completed', paid_total: '88.00' })
    expect(pageErrors).toEqual([])
    await context.close()
  },
)

async function answer(pageUrl: string, how: 'confirm' | 'decline'): Promise<void> {
  const response = await fetch(pageUrl.replace(/\/page$/, `/${how}`), { method: 'POST', redirect: 'manual' })
  expect(response.status).toBeLessThan(400)
}

test.each(['en-US', 'zh-HK'])('a phone opens the app and shows no code (%s)', async (locale) => {
  const { number, link } = await makeOrder()
  const { page, context } = await newPayer(browser, { ...SCREENS.phone, locale, userAgent: IPHONE })
  await page.goto(link)
  await page.getByLabel('WalletB').check()
  await page.locator('button[type=submit]').last().click()
  const open = page.getByRole('link', { name: locale === 'en-US' ? 'Open WalletB' : '開啟 WalletB' })
  await open.waitFor()
  expect(await page.locator('.qr img').count()).toBe(0)
  expect(await seriousFaults(page)).toEqual([])
  await screenshot(page, `wallet-phone-${locale}`)
  const { next_action: action } = await lastOf(number)
  expect(action).not.toHaveProperty('qr_code')
  await answer((await open.getAttribute('href')) ?? '', 'confirm')
  await page.locator('h2.good').waitFor()
  await context.close()
})

test('a payment by API is shown on our page, without a script too, and leads to its own return_url', async () => {
  const { number } = await makeOrder()
  const { next_action: action, transaction } = await payByApi(number, { return_url: `${shop}/back?cart=7` })
  expect(action).toEqual(transaction.next_action)
  expect(action).toMatchObject({ type: 'wallet_confirmation', qr_code: expect.any(String) })
  expect(action.url).toMatch(`${client.sandbox.base_url}/pay/`)
  const { page, context } = await newPayer(browser, { ...SCREENS.desktop, javaScriptEnabled: false })
  await page.goto(action.url)
  const svg = await (
    await fetch(new URL((await page.locator('.qr img').getAttribute('src')) ?? '', action.url))
  ).text()
  expect(svg).toContain('<svg')
  await answer(action.qr_code, 'confirm')
  await page.goto(`${action.url}?back=1`)
  await page.waitForURL(`${shop}/**`)
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({ cart: '7', result: 'paid' })
  await context.close()
})

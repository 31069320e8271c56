import { readFile } from 'node:fs/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { screenshot, SCREENS, seriousFaults } from '../checkout-browser.ts'
import { PAYMENTS } from '../harness/client.ts'
import { createUser, overflowOf, signedIn, startConsole, visit } from './console-browser.ts'

const EMAIL = 'owner@example.com'
const BILLING = '/svc/billing/api/v1/openapi'
const TOTALS = '/svc/report/api/v1/openapi/totals'
const scenario = await startConsole()
const { client, url } = scenario
await createUser(scenario, EMAIL)
const desktop = await signedIn(scenario, EMAIL)
afterAll(() => desktop.context.close())
const customer = await client.createCustomer()
const { token } = await client.bindCard(customer.uuid, '4242424242424242')
for (let day = 0; day < 4; day++) {
  for (const [currency, initial_total] of [
    ['HKD', 1_250.5 + day * 400],
    ['JPY', 9_800],
  ] as const) {
    const order = await client.createOrder({ customer_uuid: customer.uuid, currency, initial_total })
    const { data } = await client.pay(order.number, token)
    if (day === 2) {
      await client.ok('POST', `${PAYMENTS}/transactions/refund`, {
        transaction: { uuid: data.transaction.uuid },
        amount: 100,
      })
    }
  }
  await client.advanceBy(day === 1 ? 'P5D' : 'P1D')
}

const totalsOf = async (query: string) => (await client.ok('GET', `${TOTALS}?${query}`)).totals
await vi.waitFor(
  async () => expect((await totalsOf('period=last_30_days')).currencies[0].orders_paid).toBe(4),
  { timeout: 60_000, interval: 200 },
)

const amountText = (amount: number) =>
  new Intl.NumberFormat('en', { minimumFractionDigits: 2 }).format(amount)

test.each(Object.entries(SCREENS))(
  'Reports says what was taken in any days, and what in the days before (%s)',
  async (name, screen) => {
    const visitor = name === 'desktop' ? desktop : await signedIn(scenario, EMAIL, screen)
    const { page, pageErrors, quiet } = visitor
    await page.goto(`${url}/reports?period=last_7_days`)
    const totals = await totalsOf('period=last_7_days')
    const [hkd] = totals.currencies
    await page
      .getByRole('definition')
      .filter({ hasText: amountText(hkd.paid_total) })
      .first()
      .waitFor()
    await page
      .getByText(`before: ${amountText(hkd.before.net_total)}`)
      .first()
      .waitFor()
    await page.getByRole('img', { name: /^Chart: Volume/ }).waitFor()
    await quiet()
    expect(await seriousFaults(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
    await screenshot(page, `reports ${name}`)
    await page.getByLabel('Period').selectOption('Own range')
    await page.getByLabel('First day').fill(totals.before.from)
    await page.getByLabel('Last day').fill(totals.before.to)
    await page.getByLabel('Last day').press('Enter')
    await page
      .getByRole('definition')
      .filter({ hasText: amountText(hkd.before.paid_total) })
      .first()
      .waitFor()
    expect(new URL(page.url()).searchParams.get('from')).toBe(totals.before.from)
    await quiet()
    expect(await seriousFaults(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
    await screenshot(page, `reports own range ${name}`)
    expect(pageErrors).toEqual([])
    if (visitor !== desktop) await visitor.context.close()
  },
)

test('a year is drawn by months, and the totals of Home lead to Reports', async () => {
  const { page } = desktop
  await visit(page, url)
  await page.getByLabel('Period').selectOption('Last year')
  await page.getByRole('link', { name: 'All in Reports' }).click()
  await page.getByRole('heading', { name: 'Reports', level: 1 }).waitFor()
  expect(new URL(page.url()).searchParams.get('period')).toBe('last_year')
  await page.getByRole('heading', { name: 'By month' }).waitFor()
})

test('the transactions of a month are a spreadsheet with the columns on the screen', async () => {
  const { page, context } = await signedIn(scenario, EMAIL, { ...SCREENS.desktop, locale: 'zh-HK' })
  // Without this, the browser asks where to save the file.
  await page.addInitScript('delete window.showSaveFilePicker; delete Window.prototype.showSaveFilePicker')
  await page.goto(`${url}/transactions`)
  await page.getByRole('button', { name: '匯出' }).click()
  await page.getByRole('radio', { name: '試算表（供記賬使用）' }).check()
  await page.getByLabel('期間').selectOption('最近 30 天')
  expect(await seriousFaults(page)).toEqual([])
  await screenshot(page, 'export of a spreadsheet')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: '開始匯出' }).click(),
  ])
  const { from, to } = await totalsOf('period=last_30_days')
  expect(download.suggestedFilename()).toBe(`transactions-${from}-to-${to}.csv`)
  const [names, ...rows] = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n')
  expect(names).toBe('\uFEFF建立時間,訂單參考編號,客戶,金額,貨幣,結果,類型,付款方式,卡')
  expect(rows).toHaveLength(10)
  expect(rows.at(-1)).toContain(',Chan Tai Man,')
  await context.close()
})

test('Home, Reports and a new invoice open in the currency of most payments, and a choice stays in the address', async () => {
  for (let paid = 0; paid < 5; paid++) {
    const members = { customer_uuid: customer.uuid, currency: 'EUR', initial_total: 59.9 }
    const { number } = await client.createOrder(members)
    expect((await client.pay(number, token)).status).toBe(200)
  }
  await vi.waitFor(async () => expect((await totalsOf('period=today')).main_currency).toBe('EUR'), {
    timeout: 60_000,
    interval: 200,
  })
  const { page, pageErrors, quiet } = desktop
  const choice = page.getByLabel('Currency', { exact: true })
  const shown = () => choice.inputValue()
  await page.goto(url)
  await choice.waitFor()
  expect(await shown()).toBe('EUR')
  await quiet()
  await screenshot(page, 'home in the main currency')
  await choice.selectOption('JPY')
  await page.waitForURL('**/?*currency=JPY*')
  await page.reload()
  await choice.waitFor()
  expect(await shown()).toBe('JPY')
  await page.getByLabel('Period').selectOption('Last month')
  await page.waitForURL('**/?*period=last_month*')
  expect(new URL(page.url()).searchParams.get('currency')).toBe('JPY')

  await page.goto(`${url}/reports`)
  await choice.waitFor()
  expect(await shown()).toBe('EUR')
  await page.getByText('Months, quarters and years are compared with those before them').waitFor()
  const { before } = await totalsOf('period=this_month')
  expect(before.from).toMatch(/-01$/)
  await quiet()
  await screenshot(page, 'reports in the main currency')

  await page.goto(`${url}/invoices`)
  const newInvoice = page.getByRole('button', { name: 'New invoice' })
  const dialog = page.getByRole('dialog')
  const entered = dialog.getByLabel('Currency')
  await newInvoice.click()
  await expect.poll(() => entered.inputValue()).toBe('EUR')
  await entered.fill('jpy')
  await page.waitForURL('**/invoices?*currency=JPY*')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.reload()
  await newInvoice.click()
  await expect.poll(() => entered.inputValue()).toBe('JPY')
  expect(pageErrors).toEqual([])
})

test('orders, prices and coupons open in the currency of most payments', async () => {
  const { product } = await client.ok('POST', `${BILLING}/products`, { product: { name: 'Gold' } })
  const { page, pageErrors } = desktop
  const dialog = page.getByRole('dialog')
  const opensIn = async (path: string, button: string) => {
    await visit(page, `${url}${path}`)
    await page.getByRole('button', { name: button }).click()
    await expect.poll(() => dialog.getByLabel('Currency').inputValue()).toBe('EUR')
  }
  await opensIn('/orders', 'New order')
  await opensIn(`/products/${product.id}`, 'Add price')
  await visit(page, `${url}/coupons`)
  await page.getByRole('button', { name: 'Add coupon' }).click()
  await dialog.getByLabel('Minimum of a period').fill('20')
  await expect.poll(() => dialog.getByLabel('Currency').inputValue()).toBe('EUR')
  expect(pageErrors).toEqual([])
})

import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { screenshot, SCREENS, seriousFaults } from '../checkout-browser.ts'
import { PAYMENTS } from '../harness/client.ts'
import { createUser, overflowOf, show, signedIn, startConsole } from './console-browser.ts'

const EMAIL = 'owner@example.com'
const REPORTS = '/svc/report/api/v1/openapi'
/** Bytes, as the service sends them. */
const MAX_SCRIPT_BYTES = 260_000
const WITHIN = { timeout: 60_000, interval: 200 }
const scenario = await startConsole()
const { client, url } = scenario
await createUser(scenario, EMAIL)
const visitor = await signedIn(scenario, EMAIL)
afterAll(() => visitor.context.close())

/** `pages.test.ts` opens Home on the other two. */
const LOOKS = {
  'dark desktop': { ...SCREENS.desktop, colorScheme: 'dark' },
  phone: { ...SCREENS.phone, viewport: { width: 390, height: 780 } },
} as const

beforeAll(async () => {
  const item = await client.createItem(80)
  const customer = await client.createCustomer()
  const { token } = await client.bindCard(customer.uuid, '4242424242424242', { default: true })
  const late = await client.createCustomer()
  const { token: declined } = await client.bindCard(late.uuid, '4000000000000341', { default: true })
  for (const { uuid } of [customer, late]) {
    await client.createPlan({
      customer_uuid: uuid,
      recurring_cycles: [
        {
          billing_count: null,
          recurring_billing_config: 'FREQ=WEEKLY',
          recurring_items: [{ recurring_item_id: item, quantity: 1 }],
        },
      ],
    })
  }
  for (let day = 0; day < 9; day++) {
    for (let index = 0; index <= (day * 3) % 4; index++) {
      const order = await client.createOrder({ initial_total: 1200.5 + 310 * ((day * 5 + index) % 7) })
      const { data } = await client.pay(order.number, token)
      if (day % 3 === 1 && index === 0) {
        await client.ok('POST', `${PAYMENTS}/transactions/refund`, {
          transaction: { uuid: data.transaction.uuid },
          amount: 200,
        })
      }
    }
    const unpaid = await client.createOrder({ initial_total: 300 })
    await client.pay(unpaid.number, declined)
    if (day === 2) await client.bindCard(late.uuid, '4242424242424242', { default: true })
    if (day < 8) await client.advanceBy('P1D')
  }
  await vi.waitFor(async () => {
    const { overview } = await client.ok('GET', `${REPORTS}/overview`)
    expect(overview.today.paid_total).toBeGreaterThan(0)
  }, WITHIN)
})

test.each(Object.entries(LOOKS))('the first page shows what the reports say (%s)', async (name, look) => {
  const { overview } = await client.ok('GET', `${REPORTS}/overview?days=30`)
  const { page, context, pageErrors } = await signedIn(scenario, EMAIL, look)
  await page.goto(url)
  await page.getByRole('heading', { name: 'Volume' }).waitFor()
  await page
    .getByRole('img', { name: /^Chart: Volume/ })
    .locator('svg path')
    .first()
    .waitFor()
  const paid = new Intl.NumberFormat('en', { minimumFractionDigits: 2 }).format(overview.today.paid_total)
  await page.getByRole('definition').filter({ hasText: paid }).first().waitFor()
  expect(await seriousFaults(page)).toEqual([])
  expect(await overflowOf(page)).toBe(0)
  await page.getByRole('link', { name: /\b8 days ahead\b/ }).waitFor()
  await screenshot(page, `home ${name}`)
  const volume = page.getByRole('region', { name: 'Volume' })
  await volume.getByRole('button', { name: 'Table' }).click()
  const first = overview.days.find((day: { paid_total: number }) => day.paid_total > 0)
  const total = new Intl.NumberFormat('en', { minimumFractionDigits: 2 }).format(first.paid_total)
  await volume
    .getByRole('cell', { name: `${total} HKD` })
    .first()
    .waitFor()
  expect(await seriousFaults(page)).toEqual([])
  expect(pageErrors).toEqual([])
  await context.close()
})

test('the first page loads less than 260 kB of script with its charts, and the palette when it is opened', async () => {
  const { page, quiet } = visitor
  const scripts = () =>
    page.evaluate<{ name: string; encodedBodySize: number }[]>(
      `performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).map((entry) => entry.toJSON())`,
    )
  const isPalette = ({ name }: { name: string }) => name.includes('command-palette')
  await page.goto(url)
  await page.getByRole('img', { name: /^Chart: Volume/ }).waitFor()
  await quiet()
  const loaded = await scripts()
  const bytes = loaded.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
  expect(bytes).toBeGreaterThan(MAX_SCRIPT_BYTES / 2)
  expect(bytes).toBeLessThan(MAX_SCRIPT_BYTES)
  expect(loaded.some(isPalette)).toBe(false)
  await page.keyboard.press('/')
  await page.getByRole('textbox', { name: 'Search pages and objects' }).waitFor()
  expect((await scripts()).some(isPalette)).toBe(true)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

test('the figures of a day are shown under the pointer and by the arrow keys', async () => {
  const { overview } = await client.ok('GET', `${REPORTS}/overview?days=30`)
  const { page } = visitor
  await show(visitor, url, 'Home')
  const chart = page.getByRole('img', { name: /^Chart: Volume/ })
  const paid = new Intl.NumberFormat('en', { minimumFractionDigits: 2 }).format(
    overview.days.at(-1).paid_total,
  )
  const figures = chart.getByText(`Paid: ${paid} HKD`)
  const hover = async () => {
    await chart.scrollIntoViewIfNeeded()
    const { x = 0, y = 0, width = 0, height = 0 } = (await chart.locator('svg').boundingBox()) ?? {}
    await page.mouse.move(x + width - 4, y + height / 2)
    return figures.isVisible()
  }
  // While the page is loading, the chart changes its size.
  await vi.waitUntil(hover, WITHIN)
  await page.mouse.move(0, 0)
  await figures.waitFor({ state: 'detached' })
  await chart.press('ArrowLeft')
  await figures.waitFor()
  await screenshot(page, 'home figures of a day')
  await chart.press('Escape')
  await figures.waitFor({ state: 'detached' })
})

test('a reason of failures leads to its transactions', async () => {
  const { page } = visitor
  await show(visitor, url, 'Home')
  await page
    .getByRole('table')
    .getByRole('link', { name: /declined/i })
    .first()
    .click()
  await page.getByRole('heading', { name: 'Transactions', level: 1 }).waitFor()
  expect(new URL(page.url()).searchParams.get('filter')).toBe('decline_code = card_declined')
  await page.getByRole('row').nth(1).waitFor()
})

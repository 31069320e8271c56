import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { newPayer, SCREENS, screenshot, seriousFaults } from './checkout-browser.ts'
import { startScenario } from './harness/scenario.ts'
import { sharedBrowser } from './harness/shared-browser.ts'

// Proves reference/portal#pages, reference/portal#sign-in.
const SHOP = 'https://shop.example.com'
const B = '/svc/billing/api/v1/openapi'
const { client } = await startScenario()
const browser = await sharedBrowser()

const SCHEMES = {
  desktop: { en: ['light', 'dark'], de: ['dark'], 'zh-Hant': ['light'] },
  phone: { en: ['light', 'dark'], de: ['light'], 'zh-Hant': ['dark'] },
} as const
type Scheme = 'light' | 'dark'

const [small, large] = [
  await client.createItem(90, 'HKD', 'Basic'),
  await client.createItem(290, 'HKD', 'Team'),
]
const { coupon } = await client.ok('POST', `${B}/coupons`, {
  coupon: { name: 'Stay', percent_off: 50, times: 3 },
})
const { legal_entity: entity } = await client.ok('POST', `${B}/legal_entities`, {
  legal_entity: {
    name: 'Example GmbH',
    address: { line1: 'Hauptstr. 1', postal_code: '10115', city: 'Berlin', country: 'DE' },
    registrations: [],
  },
})
await client.ok('PUT', `${B}/message_settings`, { message_settings: { enabled: ['portal_link'] } })
const { portal } = await client.ok('PUT', `${B}/portal`, {
  portal: {
    return_url: `${SHOP}/account`,
    allow: {
      invoices: true,
      payment_methods: true,
      billing_details: true,
      usage: true,
      reactivate: true,
      change: { price_ids: [small, large] },
      pause: { max_days: 60 },
      cancel: {
        reasons: ['Too expensive', 'Not used any more', 'Something else'],
        offer_coupon_id: coupon.id,
      },
    },
  },
})

async function createPayer() {
  const { uuid } = await client.createCustomer({ name: 'Amy Lee', email: 'amy@example.com' })
  const { token } = await client.bindCard(uuid, '4242424242424242')
  await client.bindCard(uuid, '5555555555554444')
  const cycle = { billing_count: null, recurring_billing_config: 'FREQ=MONTHLY' }
  const plan = await client.createPlan({
    name: 'Studio membership',
    customer_uuid: uuid,
    recurring_cycles: [{ ...cycle, recurring_items: [{ recurring_item_id: small, quantity: 2 }] }],
  })
  const { invoice } = await client.ok('POST', `${B}/invoices`, {
    invoice: {
      customer_uuid: uuid,
      currency: 'HKD',
      collection: 'send_invoice',
      legal_entity_id: entity.id,
      lines: [{ label: 'Setup', quantity: 1, unit_amount: 1234.5 }],
    },
  })
  await client.advanceBy('PT1M')
  return { uuid, token, plan: plan.id as string, invoice: invoice.id as string }
}

const payer = await createPayer()

async function linkOf(members: object = {}, uuid = payer.uuid): Promise<string> {
  const { portal_session } = await client.ok('POST', `${B}/portal/sessions`, {
    portal_session: { customer_uuid: uuid, ...members },
  })
  return portal_session.url
}

async function look(page: Page, name: string, schemes: readonly Scheme[]): Promise<void> {
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme })
    expect([name, colorScheme, await seriousFaults(page)]).toEqual([name, colorScheme, []])
    await screenshot(page, `${name}-${colorScheme}`)
  }
  const overflow = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  expect([name, overflow]).toEqual([name, 0])
}

test.each(Object.keys(SCREENS) as (keyof typeof SCREENS)[])(
  'every page can be read and used in light and dark in three languages (%s)',
  async (screen) => {
    const { page, context, pageErrors } = await newPayer(browser, SCREENS[screen])
    await context.route(`${SHOP}/**`, (route) => route.fulfill({ body: 'The shop' }))
    for (const [language, schemes] of Object.entries(SCHEMES[screen])) {
      const see = (name: string) => look(page, `${screen}-${language}-${name}`, schemes)
      const at = async (path: string, name: string) => {
        await page.goto(`${client.sandbox.base_url}${path}${path.includes('?') ? '&' : '?'}lang=${language}`)
        await see(name)
      }
      await at(new URL(portal.sign_in_url).pathname, 'sign-in')
      await page.locator('#email').fill('nobody@example.com')
      await page.getByRole('button').click()
      await page.locator('form').waitFor({ state: 'detached' })
      await see('sent')
      const link = new URL(await linkOf()).pathname
      await at(link, 'link')
      await page.getByRole('button').click()
      await page.locator('.portal-nav').waitFor()
      await see('overview')
      await at(`/portal/plans/${payer.plan}`, 'plan')
      await at(`/portal/plans/${payer.plan}/change`, 'change')
      await page.locator(`input[value="${large}"]`).check()
      await page.locator('main form[action*="/change"] button').click()
      await page.locator('main table').waitFor()
      await see('preview')
      await at(`/portal/plans/${payer.plan}/pause`, 'pause')
      await at(`/portal/plans/${payer.plan}/cancel`, 'cancel')
      await at('/portal/invoices', 'invoices')
      await at(`/portal/invoices/${payer.invoice}/pay`, 'pay')
      await at('/portal/cards', 'cards')
      await at('/portal/details', 'details')
      await page.locator('.portal-nav form button').click()
      await page.waitForURL(`${SHOP}/**`)
      await at('/portal', 'ended')
      await at(link, 'old-link')
    }
    expect(pageErrors.filter((error) => !/status of (?:401|402|409|410|422)/.test(error))).toEqual([])
    await context.close()
  },
)

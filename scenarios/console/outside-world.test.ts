import { readFile } from 'node:fs/promises'
import pg from 'pg'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { until } from '#platform/testing/until'
import { screenshot, seriousFaults } from '../checkout-browser.ts'
import { walletSettings } from '../harness/chains.ts'
import { PAYMENTS } from '../harness/client.ts'
import { connectStripe, payAtStripe, startStripeTwin, WEBHOOK_SECRET } from '../harness/stripe-twin.ts'
import { startOidcServer } from '../../src/modules/users/testing/oidc-server.ts'
import {
  CONSOLE_SCREENS,
  createUser,
  newVisitor,
  overflowOf,
  signedIn,
  startConsole,
  visit,
} from './console-browser.ts'

// Everything that comes from outside: an acquirer that does not respond, disputes, its books, deposit addresses and
// a sign-in elsewhere.
const EMAIL = 'owner@example.com'
const FAULTS = '/svc/sandbox/api/v1/openapi/faults'
const NO_FAULTS = { latency_ms: 0, fail_before_percent: 0, fail_after_percent: 0, lose_answer_percent: 0 }
const WITHIN = { timeout: 60_000 }

const provider = await startOidcServer(
  { owner: { email: EMAIL, email_verified: true, name: 'Owner' } },
  afterAll,
)
const twin = await startStripeTwin()
const scenario = await startConsole({
  ...(await walletSettings()),
  ALLOW_PRIVATE_WEBHOOKS: '1',
  ACQUIRER_TIMEOUT_MS: '4000',
  OIDC_ISSUER: provider.oidc.issuer,
  OIDC_CLIENT_ID: provider.oidc.clientId,
  OIDC_CLIENT_SECRET: provider.oidc.clientSecret,
  OIDC_NAME: provider.oidc.name,
})
const { client, url } = scenario
provider.register(new URL(url).origin)
await createUser(scenario, EMAIL)

/** Two payments without an outcome, one for each screen. No outcome arrives, and a day passes. */
const customer = await client.createCustomer()
const { token } = await client.bindCard(customer.uuid, '5555555555554444')
const unknown: string[] = []
await client.ok('PUT', FAULTS, { faults: { ...NO_FAULTS, latency_ms: 60_000 } })
for (let index = 0; index < 2; index++) {
  const order = await client.createOrder()
  expect(await client.pay(order.number, token)).toMatchObject({ status: 504 })
  unknown.push((await client.checkOrder(order.number)).transactions[0].uuid)
}
// A person may decide a day of the real clock after the request, and not while an inquiry is under way.
const database = new pg.Client(scenario.databaseUrl)
await database.connect()
await until(async () => {
  const { rowCount } = await database.query(
    `update acquirer_operations set sent_at = now() - interval '25 hours', due_at = now() + interval '1 day'
      where key = any($1) and (leased_until is null or leased_until < now())`,
    [unknown],
  )
  return rowCount === unknown.length
}, WITHIN.timeout)
await database.end()

const account = await connectStripe(client, twin.url)
const send = (path: string, body: object, method = 'POST') =>
  fetch(`${twin.url}/_twin/${path}`, { method, body: JSON.stringify(body) })
await send('notices', { url: account.webhook_url, secret: WEBHOOK_SECRET, repeat: 1, shuffle: false }, 'PUT')
for (let index = 0; index < 2; index++) await payAtStripe(client, account.id, 'pm_card_createDispute')
const read = async (path: string, name: string) =>
  (await client.ok('GET', `${PAYMENTS}/${path}`))[name] as { id: string; payout: object | null }[]
await until(async () => (await read('disputes', 'disputes')).length === 2, WITHIN.timeout)
const disputes = await read('disputes', 'disputes')
// Disputes take more than was paid, and a payout needs something to pay.
for (let index = 0; index < 4; index++) await payAtStripe(client, account.id, 'pm_card_visa')
await send('clock', { advance_seconds: 30 })
const paidOut = await send('payout', {})
if (!paidOut.ok) throw new Error(`no payout: ${await paidOut.text()}`)
await client.ok('POST', `${PAYMENTS}/reconciliations/run`, {})
const payout = async () =>
  (await read('reconciliations', 'reconciliations')).find((one) => one.payout !== null)?.id
await until(async () => (await payout()) !== undefined, WITHIN.timeout)
const { digital_wallet: wallet } = await client.ok('POST', '/svc/ts/api/v1/openapi/digital_wallets', {
  digital_wallet: { p_user_id: 'u-1' },
})

async function expectUsable(page: Page): Promise<void> {
  expect(await seriousFaults(page)).toEqual([])
  expect(await overflowOf(page)).toBe(0)
}

describe.each(Object.entries(CONSOLE_SCREENS).map(([name, screen], index) => ({ name, screen, index })))(
  'on a $name',
  async ({ name, screen, index }) => {
    const { page, context, pageErrors } = await signedIn(scenario, EMAIL, screen)
    afterAll(() => context.close())

    test('a person decides the outcome that nobody learned', async () => {
      await visit(page, `${url}/transactions/${unknown[index]}`)
      await page.getByRole('button', { name: 'Decide the outcome' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('Look the transaction up at the acquirer first.').waitFor()
      await dialog.getByRole('radio', { name: 'It was never booked' }).check()
      await dialog.getByText(/100\.00 HKD was not moved/).waitFor()
      await expectUsable(page)
      await dialog.getByRole('button', { name: 'Record the outcome' }).click()
      await dialog.waitFor({ state: 'detached' })
      const { order } = await client.ok('POST', `${PAYMENTS}/orders/check`, {
        transaction: { uuid: unknown[index] },
      })
      expect(order.transactions).toMatchObject([{ payment_data: { transaction_state: 'failed' } }])
    })

    test('evidence is staged, shown and handed in', async () => {
      const { id = '' } = disputes[index] ?? {}
      await visit(page, `${url}/disputes/${id}`)
      await page.getByRole('button', { name: 'Add text' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Kind of evidence').fill('uncategorized_text')
      await dialog.getByRole('textbox', { name: 'Text', exact: true }).fill('winning_evidence')
      await expectUsable(page)
      await dialog.getByRole('button', { name: 'Stage' }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.getByText('winning_evidence').waitFor()
      await page.getByRole('button', { name: 'Submit evidence' }).click()
      await dialog.getByText('This is possible once').waitFor()
      await expectUsable(page)
      await dialog.getByRole('button', { name: 'Submit evidence' }).click()
      await page.getByText('The evidence was handed in on').waitFor()
      const state = async () => (await client.ok('GET', `${PAYMENTS}/disputes/${id}`)).dispute.state as string
      await expect.poll(state, WITHIN).toBe('won')
    })

    test('a payout shows its lines and totals, and leads to the dispute in it', async () => {
      await visit(page, `${url}/reconciliations/${await payout()}`)
      await page.getByRole('heading', { name: /^Payout of / }).waitFor()
      await page.getByRole('region', { name: 'Totals' }).getByText('Disputes').first().waitFor()
      await page.waitForLoadState('networkidle')
      await expectUsable(page)
      await screenshot(page, `${name}-payout`)
      // Behaves like a browser in which pages cannot write files.
      await page.evaluate('delete window.showSaveFilePicker; delete Window.prototype.showSaveFilePicker')
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Report as CSV' }).click()
      await page.getByRole('dialog').getByText('Your browser shows how far it is.').waitFor()
      await expectUsable(page)
      const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\n')
      expect(lines.length).toBeGreaterThan(1)
    })

    test('the id of an account finds it, and shows where its notices go', async () => {
      await visit(page, `${url}/find/${account.id}`)
      await page.getByText('1 row', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Open', exact: true }).click()
      await page.getByRole('dialog').getByText(account.webhook_url).waitFor()
      await expectUsable(page)
      await page.getByRole('button', { name: 'Change', exact: true }).click()
      await expect.poll(() => page.getByLabel('Name').inputValue()).toBe(account.name)
    })

    test('the QR code of a deposit address is drawn', async () => {
      await visit(page, `${url}/wallets/${wallet.id}`)
      // Lists that arrive move the button away from the pointer.
      await page.waitForLoadState('networkidle')
      await page.getByRole('button', { name: 'QR code' }).first().click()
      const code = page.getByRole('img', { name: /^QR code of the address 0x/ })
      await code.waitFor()
      const widthOf = 'document.querySelector(\'img[alt^="QR code of the address"]\').naturalWidth'
      await expect.poll(() => page.evaluate<number>(widthOf), WITHIN).toBeGreaterThan(20)
      await expectUsable(page)
    })

    test('whoever has an account elsewhere signs in there and lands on the page that was wanted', async () => {
      const visitor = await newVisitor(scenario, screen)
      await visitor.page.goto(`${url}/orders?filter=state%20%3D%20open`)
      await visitor.page.getByRole('button', { name: 'Continue with Acme login' }).click()
      await visitor.page.locator('input[name=login]').fill('owner')
      await visitor.page.locator('input[name=password]').fill('anything')
      await visitor.page.locator('button[type=submit]').click()
      await visitor.page.getByRole('button', { name: 'Continue' }).click()
      await visitor.page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor()
      expect(new URL(visitor.page.url()).searchParams.get('filter')).toBe('state = open')
      await expectUsable(visitor.page)
      await visitor.page.goto(`${url}/account`)
      const answered = visitor.page.waitForResponse(/\/callback\/oidc\?/)
      await visitor.page.getByRole('button', { name: 'Link Acme login' }).click()
      expect((await answered).headers()['location']).toBe(`${url}/account`)
      await visitor.page.getByRole('region', { name: 'Sign-in elsewhere' }).waitFor()
      expect(await visitor.page.getByRole('alert').count()).toBe(0)
      await expectUsable(visitor.page)
      await visitor.context.close()
    })

    test('no page wrote an error', () => {
      expect(pageErrors).toEqual([])
    })
  },
)

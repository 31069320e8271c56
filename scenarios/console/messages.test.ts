import { afterAll, expect, test } from 'vitest'
import { screenshot, seriousFaults } from '../checkout-browser.ts'
import { CONSOLE_SCREENS, createUser, overflowOf, show, signedIn, startConsole } from './console-browser.ts'

const OWNER = 'owner@example.com'
const BILLING = '/svc/billing/api/v1/openapi'
const scenario = await startConsole()
const { client, url } = scenario
await createUser(scenario, OWNER)
const visitor = await signedIn(scenario, OWNER)
const { page, context, quiet } = visitor
afterAll(() => context.close())

const customer = await client.createCustomer({ name: 'Ada Lovelace', email: 'ada@example.com' })
const { token } = await client.bindCard(customer.uuid, '5555555555554444')

const at = (path: string) => `${url}${path}?environment=test`

test('a kind is switched on, its texts are changed, and what was made of it is read and sent again', async () => {
  await show(visitor, at('/settings/messages'), 'Messages to customers')
  await page.getByText('Once an order of a customer is paid in full.').waitFor()
  await page.getByRole('switch', { name: 'Receipt', exact: true }).press('Space')
  await page.getByRole('switch', { name: 'Receipt', exact: true, checked: true }).waitFor()
  await quiet()
  const { message_settings: settings } = await client.ok('GET', `${BILLING}/message_settings`)
  expect(settings.enabled).toEqual(['receipt'])

  await page.getByRole('link', { name: 'Receipt', exact: true }).click()
  const example = page.frameLocator('iframe')
  await example.getByText('Amy Lee').first().waitFor()
  await page.getByLabel('Introduction').fill('Dear {{customer_name}}, thank you!')
  await example.getByText('Dear Amy Lee, thank you!', { exact: true }).waitFor()
  await page.getByLabel('Introduction').fill('Dear {{nickname}}')
  await page.getByText(/These placeholders are unknown: nickname\./).waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await page.getByLabel('Introduction').fill('Dear {{customer_name}}, thank you!')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The texts were saved.').waitFor()
  await screenshot(page, 'template')

  const order = await client.createOrder({ customer_uuid: customer.uuid })
  await client.pay(order.number, token)
  await client.advanceBy('PT1M')
  await show(visitor, at('/messages'), 'Messages')
  await page
    .getByRole('row', { name: /ada@example.com/ })
    .getByRole('link')
    .first()
    .click()
  await page.getByText('A test environment keeps messages and sends none.').waitFor()
  await page.frameLocator('iframe').getByText('Dear Ada Lovelace, thank you!', { exact: true }).waitFor()
  await page.getByText('Text', { exact: true }).click()
  await page.getByText('Payment received').last().waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Send again' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click()
  await page.getByText('Show the first one').waitFor()
  const { messages } = await client.ok('GET', `${BILLING}/messages`)
  expect(messages).toHaveLength(2)

  await show(visitor, at(`/customers/${customer.uuid}`), 'Ada Lovelace')
  const sent = page.getByRole('region', { name: 'Messages' })
  await sent
    .getByRole('row', { name: String(messages[0]?.subject) })
    .first()
    .waitFor()
})

test('an address that bounced is shown, and allowed again', async () => {
  await client.ok('POST', `${BILLING}/messages/bounces`, {
    bounce: { address: 'gone@example.com', kind: 'hard' },
  })
  await show(visitor, at('/suppressions'), 'Suppressed addresses')
  const row = page.getByRole('row', { name: /gone@example.com/ })
  await row.getByText('Bounced: gets no messages').waitFor()
  await row.getByRole('button', { name: 'Allow again' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Allow again' }).click()
  await row.waitFor({ state: 'detached' })
  expect((await client.ok('GET', `${BILLING}/suppressions`)).suppressions).toEqual([])
})

test.each(Object.entries(CONSOLE_SCREENS))(
  'the pages of messages fit the screen and are accessible (%s)',
  async (name, screen) => {
    const other = await signedIn(scenario, OWNER, screen)
    const { messages } = await client.ok('GET', `${BILLING}/messages`)
    const [message] = messages
    for (const [path, heading] of [
      ['/messages', 'Messages'],
      [`/messages/${message.id}`, message.subject],
      ['/suppressions', 'Suppressed addresses'],
      ['/settings/messages', 'Messages to customers'],
      ['/settings/messages/payment_failed', 'Failed payment'],
    ] as const) {
      await show(other, at(path), heading)
      expect([path, await seriousFaults(other.page)]).toEqual([path, []])
      expect([path, await overflowOf(other.page)]).toEqual([path, 0])
      await screenshot(other.page, `${name}-${path.replaceAll(/\W+/g, '-')}`)
    }
    // Browsers report each 404, which is how the API says that a kind has no texts of its own.
    expect(other.pageErrors.filter((error) => !error.includes('404'))).toEqual([])
    await other.context.close()
  },
)

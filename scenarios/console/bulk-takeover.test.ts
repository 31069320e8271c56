import { afterAll, expect, test, vi } from 'vitest'
import { screenshot, seriousFaults } from '../checkout-browser.ts'
import { PAYMENTS } from '../harness/client.ts'
import { createUser, signedIn, startConsole } from './console-browser.ts'

const FAULTS = '/svc/sandbox/api/v1/openapi/faults'
const KEYS = '/svc/account/api/v1/openapi/api_keys'
const BULK = `${PAYMENTS}/bulk_actions`
const OWNER = 'owner@example.com'
const WITHIN = { timeout: 60_000, interval: 100 }
const scenario = await startConsole()
const { client, url, service } = scenario
await createUser(scenario, OWNER)
const { page, context, pageErrors } = await signedIn(scenario, OWNER)
afterAll(() => context.close())

async function setLatency(latency_ms: number): Promise<void> {
  await client.ok('PUT', FAULTS, {
    faults: { latency_ms, fail_before_percent: 0, fail_after_percent: 0, lose_answer_percent: 0 },
  })
}

// Proves reference/bulk-actions#rights.
test('Home leads to a bulk action that was stopped, and the one who takes it over finishes it', async () => {
  const { uuid } = await client.createCustomer()
  const { token } = await client.bindCard(uuid, '4242424242424242')
  const ids: string[] = []
  for (let index = 0; index < 20; index++) {
    const { number } = await client.createOrder()
    await client.pay(number, token)
    ids.push(number)
  }
  const { api_key: key, secret } = await client.ok('POST', KEYS, {
    api_key: { name: 'Till', scopes: ['payments:write'] },
  })
  await setLatency(1_000)
  const begun = await fetch(`${service.sandbox.base_url}${BULK}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ bulk_action: { action: 'refund', ids } }),
  })
  const { data } = (await begun.json()) as { data: { bulk_action: { id: string } } }
  await client.ok('DELETE', `${KEYS}/${key.id}`)
  const read = async () => (await client.ok('GET', `${BULK}/${data.bulk_action.id}`)).bulk_action
  await vi.waitFor(async () => expect((await read()).state).toBe('stopped'), WITHIN)
  await setLatency(0)
  const { succeeded } = await read()
  await page.goto(url)
  await page.getByRole('button', { name: 'Refund many payments' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('the API key that asked for it was revoked').waitFor()
  await dialog.getByText(`${20 - succeeded} are left`).waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await screenshot(page, 'stopped bulk action')
  await dialog.getByRole('button', { name: 'Take over and go on' }).click()
  await dialog.getByText('20 of 20 refunded').waitFor()
  await screenshot(page, 'bulk action taken over')
  expect(await read()).toMatchObject({ state: 'completed', succeeded: 20, failed: 0 })
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await page.getByText('Nothing is waiting for you.').waitFor()
  expect(pageErrors).toEqual([])
})

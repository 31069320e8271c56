import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { newPayer } from './checkout-browser.ts'
import { startScenario } from './harness/scenario.ts'
import { sharedBrowser } from './harness/shared-browser.ts'

const PUBLIC_URL = 'https://pay.example.com/q/'
const { client, service } = await startScenario({ env: { PUBLIC_URL } })

/** Fetches an address like a proxy that strips `/q`. */
function fetchInside(address: string, init?: RequestInit): Promise<Response> {
  const { pathname, search } = new URL(address, PUBLIC_URL)
  expect(pathname).toMatch(/^\/q\//)
  return fetch(`${service.sandbox.base_url}${pathname.slice(2)}${search}`, { redirect: 'manual', ...init })
}

function pathsOf(page: string): string[] {
  return [...page.matchAll(/ (?:href|src|action|data-status)="(\/[^"]*)"/g)].map(([, path = '']) => path)
}

async function expectComplete(address: string, least: { paths: number }): Promise<void> {
  const page = await (await fetchInside(address)).text()
  const paths = pathsOf(page)
  expect(paths.length).toBeGreaterThanOrEqual(least.paths)
  for (const path of paths) {
    const method = path.includes('/cancel?') ? 'POST' : 'GET'
    const { status } = await fetchInside(path, { method })
    expect([path, status]).toEqual([path, method === 'GET' ? 200 : 303])
  }
}

async function makeLink(): Promise<string> {
  const { payment_link: link } = await client.ok(
    'POST',
    '/svc/payment/api/v1/openapi/orders?with_payment_link=true',
    { order: { reference_number: `order-${randomUUID()}`, currency: 'HKD', initial_total: 100 } },
  )
  return link
}

// Proves reference/pages#links, reference/operations#settings.
test('with a path in PUBLIC_URL every address on a payment page is below it', async () => {
  const link = await makeLink()
  // Style, script, three languages, QR code, form and status.
  await expectComplete(link, { paths: 8 })
  const sent = await fetchInside(link, {
    method: 'POST',
    body: new URLSearchParams({ method: 'wallet_b' }),
  })
  const next = sent.headers.get('location') ?? ''
  // Style, script, three languages, the wallet's QR code, the link to check again and the form that cancels.
  await expectComplete(next, { paths: 8 })
})

test('with a path in PUBLIC_URL every address on a verification page is below it', async () => {
  const customer = await client.createCustomer()
  const token = await client.bindCard(customer.uuid, '4000002500003155')
  await expectComplete(token.verify_url, { paths: 6 })
})

test('with a path in PUBLIC_URL every address on an error page is below it', async () => {
  const forged = await fetchInside(`${await makeLink()}x`)
  expect(forged.status).toBe(404)
  const [style = ''] = pathsOf(await forged.text())
  expect((await fetchInside(style)).status).toBe(200)
})

test('with a path in PUBLIC_URL the documentation and its links work in a browser', async () => {
  const browser = await sharedBrowser()
  const { page, pageErrors } = await newPayer(browser)
  await page.route('**', (route) => route.abort())
  await page.route(`${PUBLIC_URL}**`, async (route) => {
    const answer = await fetchInside(route.request().url())
    await route.fulfill({
      status: answer.status,
      headers: { 'content-type': answer.headers.get('content-type') ?? '' },
      body: Buffer.from(await answer.arrayBuffer()),
    })
  })
  await page.goto(`${PUBLIC_URL}docs`)
  await page.getByRole('link', { name: '/docs/errors' }).click()
  await page.waitForURL(`${PUBLIC_URL}docs/errors`)
  await page.getByRole('link', { name: 'All operations' }).click()
  await page.waitForURL(`${PUBLIC_URL}docs`)
  expect(pageErrors).toEqual([])
})

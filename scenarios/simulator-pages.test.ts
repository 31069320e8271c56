import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createMigratedDatabase } from '#platform/testing/database'
import { eventually } from '#platform/testing/until'
import { CheckingClient } from './harness/checking-client.ts'
import { PAYMENTS } from './harness/client.ts'
import { startService } from './harness/service.ts'
import { LANGUAGES } from '../src/modules/checkout/words/language.ts'

const PUBLIC_URL = 'https://pay.example.com/q'
const CARD = {
  method: 'credit_card',
  number: '4000002500003155',
  expiry: '12/49',
  cvc: '123',
  name: 'CHAN TAI MAN',
}

// Proves reference/sandbox#simulator.
test('the simulator’s pages are below PUBLIC_URL and outlive a restart of the service', async () => {
  const databaseUrl = await createMigratedDatabase()
  const env = { DATABASE_URL: databaseUrl, RATE_LIMIT: '0', PUBLIC_URL }
  const dataDir = await mkdtemp(join(tmpdir(), 'quittance-scenario-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const first = await startService({ dataDir, env })
  /** Fetches an address like a proxy that strips `/q`. */
  const fetchInside = async (address: string, init: RequestInit = {}): Promise<Response> => {
    const { pathname, search, origin } = new URL(address, PUBLIC_URL)
    expect([origin, pathname.slice(0, 3)]).toEqual(['https://pay.example.com', '/q/'])
    return fetch(`${first.sandbox.base_url}${pathname.slice(2)}${search}`, { redirect: 'manual', ...init })
  }
  const client = new CheckingClient(first.sandbox)
  const { payment_link: link } = await client.ok('POST', `${PAYMENTS}/orders?with_payment_link=true`, {
    order: { reference_number: `order-${randomUUID()}`, currency: 'HKD', initial_total: 100 },
  })
  const sent = await fetchInside(link, {
    method: 'POST',
    body: new URLSearchParams(CARD),
    headers: { accept: 'application/json' },
  })
  const { next } = (await sent.json()) as { next: string }
  expect(next).toMatch(/^https:\/\/pay\.example\.com\/q\/simulator\/payments\/[\w-]+\/page$/)

  await first.stop()
  const { PORT = '' } = first.env
  const second = await startService({ dataDir, port: Number(PORT), env })
  try {
    const page = await fetchInside(next)
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    const text = await page.text()
    expect(text).toContain('Pay HK$100.00')
    const asked = new Set<string>()
    for (const language of LANGUAGES) {
      const translated = await (await fetchInside(next, { headers: { 'accept-language': language } })).text()
      expect(translated).toContain(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`)
      // Arabic would otherwise begin with the "D".
      expect(translated).toContain('<h1><bdi>3-D Secure</bdi></h1>')
      asked.add(/<p>(.*?)<\/p>/.exec(translated)?.[1] ?? '')
    }
    expect(asked.size).toBe(LANGUAGES.length)
    const [, action = ''] = /action="(confirm)"/.exec(text) ?? []
    const pressed = await fetchInside(new URL(action, next).href, { method: 'POST' })
    expect(pressed.status).toBe(303)
    const back = pressed.headers.get('location') ?? ''
    expect(new URL(back).pathname).toBe(new URL(link).pathname)
    const version = async () =>
      ((await (await fetchInside(`${new URL(back).pathname}/status`)).json()) as { version: string }).version
    await eventually(version, (shown) => shown === 'paid')
    for (const path of ['page', 'confirm', 'books', '../../books']) {
      const address = new URL(path, next.replace(/txn_/, 'nobody_'))
      const { status } = await fetchInside(address.href, { method: path === 'confirm' ? 'POST' : 'GET' })
      expect([path, status]).toEqual([path, path === 'page' ? 200 : 404])
    }
  } finally {
    await second.stop()
  }
})

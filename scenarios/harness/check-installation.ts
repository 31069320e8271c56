import { expect } from 'vitest'
import { type Client, PAYMENTS } from './client.ts'

/** Proves of an installed service that it takes a payment, renders its receipt, and serves the pages that are built. */
export async function expectWorkingInstallation(client: Client): Promise<void> {
  const { uuid } = await client.createCustomer({ name: '陳大文' })
  const { token } = await client.bindCard(uuid, '4242424242424242')
  const { number } = await client.createOrder({ customer_uuid: uuid })
  const { data } = await client.pay(number, token)
  expect(data.transaction.success).toBe(true)
  const checked = await client.ok('POST', `${PAYMENTS}/orders/check?with_download_link=true`, {
    order: { number },
  })
  const receipt = await fetch(checked.download_link)
  expect([receipt.status, receipt.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  for (const path of ['/console', '/docs', '/openapi.json']) {
    expect([path, (await fetch(client.sandbox.base_url + path)).status]).toEqual([path, 200])
  }
}

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { freePort } from '#platform/embedded-postgres/free-port'
import { startMailServer } from '#platform/mail/testing/mail-server'
import { createMigratedDatabase } from '#platform/testing/database'
import { until } from '#platform/testing/until'
import { Client } from './harness/client.ts'
import { startService } from './harness/service.ts'

const B = '/svc/billing/api/v1/openapi'
const GOOD = '4242424242424242'
const KILLS = 3
const ORDERS = 20

const mail = await startMailServer()
const dataDir = await mkdtemp(join(tmpdir(), 'quittance-messages-'))
const port = await freePort()
const env = {
  DATABASE_URL: await createMigratedDatabase(),
  RATE_LIMIT: '0',
  SMTP_URL: mail.url,
  MAIL_FROM: 'The Shop <pay@shop.example>',
}
const start = () => startService({ dataDir, port, env })
let service = await start()
afterAll(async () => {
  await service.stop()
  await mail.close()
  await rm(dataDir, { recursive: true, force: true })
})

// Proves reference/messages#tries.
test('three kills lose no receipt and make none twice', async () => {
  let client = new Client(service.sandbox)
  await client.ok('PUT', `${B}/message_settings`, {
    message_settings: { enabled: ['receipt'], deliver_in_test: true },
  })
  const { uuid } = await client.createCustomer({ email: 'amy@example.com' })
  const { token } = await client.bindCard(uuid, GOOD)
  const paid: string[] = []
  for (let kill = 0; kill <= KILLS; kill++) {
    const paying = Array.from({ length: ORDERS }, async () => {
      const order = await client.createOrder({ customer_uuid: uuid })
      const reply = await client.pay(order.number, token)
      if (reply.status === 200) paid.push(order.number)
    })
    if (kill === KILLS) await Promise.all(paying)
    else {
      await Promise.race([Promise.allSettled(paying), until(() => paid.length > kill * ORDERS + ORDERS / 2)])
      await service.stop('SIGKILL')
      await Promise.allSettled(paying)
      service = await start()
      client = new Client(service.sandbox)
    }
  }
  const receipts = () => client.all(`${B}/messages`, 'messages', { filter: 'kind = receipt' })
  await until(async () => (await receipts()).every(({ state }) => state === 'sent'))
  const made = await receipts()
  const objects = made.map(({ object_id: id }) => id)
  expect(new Set(objects).size).toBe(objects.length)
  expect(objects).toEqual(expect.arrayContaining(paid))
  const received = new Set(mail.received.map(({ headers }) => headers['message-id']))
  expect(received).toEqual(new Set(made.map(({ message_id: id }) => id)))
})

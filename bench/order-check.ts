/** Order checks per second. The limit is Fastify alone, sending the same bytes from one prepared query. */
import autocannon from 'autocannon'
import { freePort } from '#platform/embedded-postgres/free-port'
import { collectOutput, spawnProgram, stopProcess, waitUntilReady } from '../scenarios/harness/service.ts'
import { withDatabase } from './support/database.ts'
import { median, report } from './support/report.ts'
import type { BenchService } from './support/service.ts'

const ORDERS = 200
const CONNECTIONS = 32
const ROUNDS = 3
const CHECK = '/svc/payment/api/v1/openapi/orders/check'

export async function benchOrderCheck(service: BenchService, seconds: number): Promise<boolean> {
  const { client } = service
  const customer = await client.createCustomer()
  const { token } = await client.bindCard(customer.uuid, '4242424242424242')
  const numbers: string[] = []
  for (let index = 0; index < ORDERS; index++) {
    const order = await client.createOrder({ customer_uuid: customer.uuid })
    await client.pay(order.number, token)
    numbers.push(order.number)
  }
  await storeReplies(service, numbers)
  const port = await freePort()
  const bare = spawnProgram('bench/bare-server.ts', [service.postgresUrl, String(port)], {})
  await waitUntilReady(`http://127.0.0.1:${port}/readyz`, bare, collectOutput(bare))
  const bodies = numbers.map((number) => JSON.stringify({ order: { number } }))
  const rateOf = async (url: string) => {
    const result = await autocannon({
      url,
      method: 'POST',
      connections: CONNECTIONS,
      duration: seconds,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${client.sandbox.api_key}` },
      requests: bodies.map((body) => ({ body })),
    })
    if (result.non2xx > 0 || result.errors > 0)
      throw new Error(`${url}: ${result.non2xx} responses without 2xx, ${result.errors} connection errors`)
    return result.requests.average
  }
  const ours: number[] = []
  const limits: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(await rateOf(`${client.sandbox.base_url}${CHECK}`))
    limits.push(await rateOf(`http://127.0.0.1:${port}/check`))
  }
  await stopProcess(bare, 'SIGTERM')
  return report({
    name: 'order check',
    unit: 'requests/s',
    ours: median(ours),
    limit: median(limits),
    limitName: 'Fastify alone with one prepared query',
    aim: 0.35,
  })
}

async function storeReplies(service: BenchService, numbers: readonly string[]): Promise<void> {
  await withDatabase(service.postgresUrl, async (database) => {
    await database.query(
      'create table if not exists bench_replies (number text primary key, body text not null)',
    )
    for (const number of numbers) {
      const reply = await service.client.call('POST', CHECK, { order: { number } })
      const { status: _, headers: __, ...envelope } = reply
      await database.query('insert into bench_replies values ($1, $2)', [number, JSON.stringify(envelope)])
    }
  })
}

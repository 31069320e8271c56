/**
 * What the request log costs: order checks, and orders created and paid, with the log and without it by turns. CPU time
 * hardly depends on the other load of a shared machine. `node bench/request-log.ts [rounds] [seconds]`
 */
import autocannon from 'autocannon'
import { payOrders } from './order-pay.ts'
import { median } from './support/report.ts'
import { type BenchService, startBenchService } from './support/service.ts'

const CONNECTIONS = 32
const CHECK = '/svc/payment/api/v1/openapi/orders/check'
const [rounds = 5, seconds = 3] = process.argv.slice(2).map(Number)

interface Measured {
  readonly rate: number
  /** CPU time of the service and its database, in milliseconds for a request or an order. */
  readonly cpuMs: number
}

async function measured(service: BenchService, work: () => Promise<number>): Promise<Measured> {
  const before = await service.cpu()
  const startedAt = performance.now()
  const rate = await work()
  const done = (rate * (performance.now() - startedAt)) / 1_000
  const after = await service.cpu()
  const cpu = after.service - before.service + after.postgres - before.postgres
  return { rate, cpuMs: (cpu * 1_000) / done }
}

async function prepare(days: string) {
  const service = await startBenchService({ REQUEST_LOG_DAYS: days })
  const { client } = service
  const customer = await client.createCustomer()
  const { token } = await client.bindCard(customer.uuid, '4242424242424242')
  const order = await client.createOrder({ customer_uuid: customer.uuid })
  await client.pay(order.number, token)
  const check = async () => {
    const result = await autocannon({
      url: `${client.sandbox.base_url}${CHECK}`,
      method: 'POST',
      connections: CONNECTIONS,
      duration: seconds,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${client.sandbox.api_key}` },
      body: JSON.stringify({ order: { number: order.number } }),
    })
    return result.requests.average
  }
  const pay = () => payOrders(service, customer.uuid, token, seconds)
  await check()
  await pay()
  return { service, work: { 'order check': check, 'order create + pay': pay } }
}

const sides = { on: await prepare('30'), off: await prepare('0') }
for (const name of ['order check', 'order create + pay'] as const) {
  const results: Record<keyof typeof sides, Measured[]> = { on: [], off: [] }
  for (let round = 0; round < rounds; round++) {
    for (const side of ['on', 'off'] as const)
      results[side].push(await measured(sides[side].service, sides[side].work[name]))
  }
  const [on, off] = [results.on, results.off].map((all) => ({
    rate: median(all.map(({ rate }) => rate)),
    cpuMs: median(all.map(({ cpuMs }) => cpuMs)),
  }))
  console.log(
    `${name}: ${on?.rate.toFixed(0)}/s with the log, ${off?.rate.toFixed(0)}/s without; ` +
      `CPU ${on?.cpuMs.toFixed(3)} ms with, ${off?.cpuMs.toFixed(3)} ms without`,
  )
}
const metrics = await (await fetch(`${sides.on.service.client.sandbox.base_url}/metrics`)).text()
console.log(/^request_log_dropped_total .*$/m.exec(metrics)?.[0])
await Promise.all([sides.on.service.stop(), sides.off.service.stop()])

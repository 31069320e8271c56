/**
 * What tracing costs: payments and order checks a second with a tenth and with all requests traced, as ratios of those without.
 * Three services run beside each other and are measured by turns. The collector is this process, on the same processors.
 * `--short` measures for a second each.
 */
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Pool } from 'undici'
import { payOrders } from './order-pay.ts'
import { median } from './support/report.ts'
import { type BenchService, startBenchService } from './support/service.ts'

const ROUNDS = 5
const CONCURRENCY = 32
const CHECK = '/svc/payment/api/v1/openapi/orders/check'
const seconds = process.argv.includes('--short') ? 1 : 5

const collector = createServer((request, response) => {
  request.resume().on('end', () => response.end('{}'))
}).listen(0, '127.0.0.1')
await once(collector, 'listening')
const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
const sampled = (ratio: string) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  OTEL_TRACES_SAMPLER: 'traceidratio',
  OTEL_TRACES_SAMPLER_ARG: ratio,
})
const VARIANTS = { off: {}, 'a tenth': sampled('0.1'), all: sampled('1') } as const
type Variant = keyof typeof VARIANTS
const NAMES = Object.keys(VARIANTS) as Variant[]

interface Measured {
  readonly service: BenchService
  readonly customerUuid: string
  readonly token: string
  readonly number: string
  readonly paid: number[]
  readonly checked: number[]
}

async function prepare(name: Variant): Promise<Measured> {
  const service = await startBenchService(VARIANTS[name])
  const { client } = service
  const { uuid } = await client.createCustomer()
  const { token } = await client.bindCard(uuid, '4242424242424242')
  const order = await client.createOrder({ customer_uuid: uuid })
  await client.pay(order.number, token)
  return { service, customerUuid: uuid, token, number: order.number, paid: [], checked: [] }
}

async function checkOrders({ service, number }: Measured): Promise<number> {
  const { base_url: url, api_key: key } = service.client.sandbox
  const pool = new Pool(url, { connections: CONCURRENCY })
  const endsAtMs = performance.now() + seconds * 1_000
  let checked = 0
  const caller = async () => {
    while (performance.now() < endsAtMs) {
      const { statusCode, body } = await pool.request({
        method: 'POST',
        path: CHECK,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ order: { number } }),
      })
      await body.dump()
      if (statusCode !== 200) throw new Error(`${CHECK} got ${statusCode}`)
      checked++
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, caller))
  await pool.close()
  return checked / seconds
}

const measured = new Map<Variant, Measured>()
try {
  for (const name of NAMES) measured.set(name, await prepare(name))
  // Round 0 warms up.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const one of measured.values()) {
      const paid = await payOrders(one.service, one.customerUuid, one.token, seconds)
      const checked = await checkOrders(one)
      if (round === 0) continue
      one.paid.push(paid)
      one.checked.push(checked)
    }
  }
  for (const [figure, ratesOf] of [
    ['order create + pay', ({ paid }: Measured) => paid],
    ['order check', ({ checked }: Measured) => checked],
  ] as const) {
    const rates = new Map([...measured].map(([name, one]) => [name, median(ratesOf(one))]))
    const off = rates.get('off') ?? 0
    for (const [name, rate] of rates) {
      console.log(`${figure}, traced: ${name}: ${rate.toFixed(0)} a second, ratio ${(rate / off).toFixed(2)}`)
    }
  }
} finally {
  for (const { service } of measured.values()) await service.stop()
  collector.close()
}

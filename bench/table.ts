/** What a second of this machine does, without limits beside it: `npm run bench -- --table`. It needs no pgbench. */
import { availableParallelism } from 'node:os'
import { billOnMovedClock } from './billing.ts'
import { copyCards, Issuer, maxRate } from './cards.ts'
import { type Throughput, throughputOf } from './support/cpu.ts'
import { checkOrder, closedLoad, createAndPay, payerOf } from './support/load.ts'
import { type BenchService, startBenchService } from './support/service.ts'
import { deliverToOne } from './webhooks.ts'

const CALLERS = 32
const SECONDS = 4
const WARM_UP_SECONDS = 2
const WARM_UP_PLANS = 200
const PLANS = 2_000
const MESSAGES = 3_000

export async function printTable(): Promise<void> {
  const service = await startBenchService()
  try {
    const rows: [string, Throughput][] = [
      ...(await payments(service)),
      ['decisions of cards', await decisions(service)],
      ['deliveries of webhooks', await deliverToOne(service, MESSAGES)],
      ['plans billed and charged', await plans(service)],
    ]
    console.log(`\n${availableParallelism()} processors, which callers, receivers and the simulator share`)
    console.log('| | a second | a second and core |\n|---|---|---|')
    for (const [name, { rate, perCore }] of rows)
      console.log(`| ${name} | ${rounded(rate)} | ${rounded(perCore)} |`)
  } finally {
    await service.stop()
  }
}

async function payments(service: BenchService): Promise<[string, Throughput][]> {
  const payer = await payerOf(service.client)
  const { number } = await service.client.createOrder({ customer_uuid: payer.customerUuid })
  await service.client.pay(number, payer.token)
  const load = (task: ReturnType<typeof checkOrder>) => (seconds: number) =>
    closedLoad(service.client, task, CALLERS, seconds).then(({ rate }) => rate)
  return [
    ['orders created and paid', await measured(service, load(createAndPay(payer)))],
    ['orders read', await measured(service, load(checkOrder(number)))],
  ]
}

async function decisions(service: BenchService): Promise<Throughput> {
  const issuer = new Issuer(service)
  try {
    const { business_id: businessId } = service.client.sandbox
    const cards = await copyCards(service.postgresUrl, businessId, await issuer.issueActive())
    const anyCard = () => cards[Math.floor(Math.random() * cards.length)] ?? ''
    return await measured(service, (seconds) => maxRate(issuer, seconds, anyCard))
  } finally {
    await issuer.close()
  }
}

async function plans(service: BenchService): Promise<Throughput> {
  await billOnMovedClock(service, { plans: WARM_UP_PLANS, days: 1 })
  return billOnMovedClock(service, { plans: PLANS, days: 1 })
}

async function measured(
  service: BenchService,
  rateOf: (seconds: number) => Promise<number>,
): Promise<Throughput> {
  await rateOf(WARM_UP_SECONDS)
  const before = await service.cpu()
  const startedAt = performance.now()
  const rate = await rateOf(SECONDS)
  const seconds = (performance.now() - startedAt) / 1_000
  return throughputOf(rate * seconds, seconds, before, await service.cpu())
}

function rounded(rate: number): string {
  return Number(rate.toPrecision(2)).toLocaleString('en')
}

/**
 * What one business at full speed, or strangers with wrong keys, leave to another business: its 99th percentiles alone and beside
 * them, by turns. Rounds in which the host took processor time from the virtual machine are repeated, because they measure the host.
 * `node --single-threaded-gc bench/neighbours.ts [rounds] [seconds] [words of the name of what to measure]`
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { newApiKey } from '../src/modules/businesses/model/api-key.ts'
import { Client } from '../scenarios/harness/client.ts'
import { createBusiness, runToEnd } from '../scenarios/harness/command-line.ts'
import { MAX_STOLEN, TRIES_PER_ROUND, withStolenShare } from './support/cpu.ts'
import { floodFrom } from './support/flood.ts'
import { checkOrder, createAndPay, type LoadResult, openLoad, payerOf } from './support/load.ts'
import { median, percentile } from './support/report.ts'
import { startBenchService } from './support/service.ts'

const CALLERS = 64
const PAYMENTS_A_SECOND = 20
const READS_A_SECOND = 50
const MAX_TIMES = 5
/** The 99th percentile of fewer than 300 payments would be that of single pauses. */
const [rounds = 5, seconds = 15] = process.argv.slice(2, 4).map(Number)
const wanted = process.argv.slice(4).join(' ')

type Measure = () => Promise<LoadResult>

/** @param flood lasts a second longer than `measure` */
async function compare(name: string, measure: Measure, flood: () => Promise<number>): Promise<boolean> {
  if (!name.includes(wanted)) return true
  const alone: number[] = []
  const beside: number[] = []
  const rates: number[] = []
  let refused = 0
  for (let tries = 0; alone.length < rounds && tries < rounds * TRIES_PER_ROUND; tries++) {
    const first = await withStolenShare(measure)
    const flooding = flood()
    flooding.catch(() => {})
    await sleep(500)
    const second = await withStolenShare(measure)
    const rate = await flooding
    if (Math.max(first.stolen, second.stolen) > MAX_STOLEN) continue
    alone.push(percentile(first.result.durationsMs, 0.99))
    beside.push(percentile(second.result.durationsMs, 0.99))
    rates.push(rate)
    refused += second.result.refused + second.result.failed
  }
  const ratio = median(beside.map((ms, round) => ms / (alone[round] ?? NaN)))
  console.log(
    `${name}: p99 alone ${median(alone).toFixed(0)} ms, beside ${median(beside).toFixed(0)} ms, ${ratio.toFixed(1)} times, aim ${MAX_TIMES}; ` +
      `${refused} refused; the other did ${median(rates).toFixed(0)}/s; ${alone.length} rounds count`,
  )
  return ratio <= MAX_TIMES && refused === 0
}

const service = await startBenchService({ RATE_LIMIT: process.env['RATE_LIMIT'] ?? '500' })
try {
  const loud = await payerOf(service.client)
  const quiet = await payerOf(new Client(await createBusiness(service, [], runToEnd)))
  const order = await quiet.client.createOrder({ customer_uuid: quiet.customerUuid })
  const loudOrder = await loud.client.createOrder({ customer_uuid: loud.customerUuid })
  const flood = { callers: CALLERS, seconds: seconds + 1, sandbox: loud.client.sandbox }
  const stranger = { ...flood.sandbox, api_key: newApiKey('test') }
  const pay = () => openLoad(quiet.client, createAndPay(quiet), PAYMENTS_A_SECOND, seconds)
  const check = () => openLoad(quiet.client, checkOrder(order.number), READS_A_SECOND, seconds)
  const floodPayments = () => floodFrom({ ...flood, customerUuid: loud.customerUuid, token: loud.token })
  const floodReads = () => floodFrom({ ...flood, orderNumber: loudOrder.number })
  const floodOfStrangers = () => floodFrom({ ...flood, sandbox: stranger, orderNumber: loudOrder.number })
  await floodPayments()
  await pay()
  const results = [
    await compare('payments beside payments', pay, floodPayments),
    await compare('reads beside payments', check, floodPayments),
    await compare('reads beside reads', check, floodReads),
    await compare('payments beside strangers', pay, floodOfStrangers),
    await compare('reads beside strangers', check, floodOfStrangers),
  ]
  if (results.includes(false)) process.exitCode = 1
} finally {
  await service.stop()
}

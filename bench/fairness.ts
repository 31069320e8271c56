/**
 * What one business at full speed leaves to another: the second one's payments, reads, billing and deliveries, alone and
 * beside it by turns. For comparison only: beside processes that just compute, and reads without the rate limit. Rounds in which
 * the host took processor time from the virtual machine are repeated, because they measure the host.
 * `node --single-threaded-gc bench/fairness.ts [rounds] [seconds] [words of the name of what to measure]`
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { realClock } from '#kernel/clock'
import { Client } from '../scenarios/harness/client.ts'
import { createBusiness, runToEnd } from '../scenarios/harness/command-line.ts'
import { MAX_STOLEN, TRIES_PER_ROUND, withStolenShare } from './support/cpu.ts'
import { withDatabase } from './support/database.ts'
import { floodFrom } from './support/flood.ts'
import { checkOrder, createAndPay, type LoadResult, openLoad, payerOf } from './support/load.ts'
import {
  copyBusinesses,
  copyPlans,
  createTemplate,
  scheduleBilling,
  setStart,
  stopBilling,
} from './support/plans.ts'
import { median, percentile } from './support/report.ts'
import { type BenchService, startBenchService } from './support/service.ts'
import { startReceivers } from './support/webhook-receivers.ts'

const CALLERS = 64
const PAYMENTS_A_SECOND = 20
const READS_A_SECOND = 50
const MAX_TIMES = 2
/** The default of the setting `RATE_LIMIT`. */
const DEFAULT_RATE_LIMIT = '500'
const PLANS_A_SECOND = 1_600
const ENDPOINTS = '/svc/event/api/v1/openapi/endpoints'
/** The 99th percentile of fewer than 300 payments would be that of single pauses. */
const [rounds = 5, seconds = 15] = process.argv.slice(2, 4).map(Number)
const wanted = process.argv.slice(4).join(' ')

interface Subject {
  readonly name: string
  readonly prepare?: () => Promise<void>
  /** Of the quiet business. */
  readonly measure: () => Promise<LoadResult>
  /** Of the other one, until its promise ends; at least as long as `measure`. */
  readonly flood: () => Promise<number | undefined>
}

async function compare({ name, prepare, measure, flood }: Subject): Promise<boolean> {
  if (!name.includes(wanted)) return true
  const ratios: number[] = []
  const rates: number[] = []
  const [aloneMs, besideMs]: [number[], number[]] = [[], []]
  let refused = 0
  let tries = 0
  for (; ratios.length < rounds && tries < rounds * TRIES_PER_ROUND; tries++) {
    await prepare?.()
    const { result: first, stolen: stolenAlone } = await withStolenShare(measure)
    const flooding = flood()
    flooding.catch(() => {})
    await sleep(500)
    const { result: second, stolen } = await withStolenShare(measure)
    if (Math.max(stolenAlone, stolen) > MAX_STOLEN) {
      await flooding
      continue
    }
    const alone = first.durationsMs
    const { durationsMs: beside, refused: more, failed } = second
    ratios.push(percentile(beside, 0.99) / percentile(alone, 0.99))
    aloneMs.push(...alone)
    besideMs.push(...beside)
    refused += more + failed
    rates.push((await flooding) ?? 0)
  }
  if (ratios.length === 0) {
    console.log(
      `${name}: not measured: the host took more than ${MAX_STOLEN * 100}% in each of ${tries} rounds`,
    )
    return false
  }
  const [a, b] = [aloneMs, besideMs].map(
    (ms) => `${percentile(ms, 0.5).toFixed(0)} and ${percentile(ms, 0.99).toFixed(0)} ms`,
  )
  const ratio = median(ratios)
  console.log(
    `${name}: median and p99 alone ${a}, beside the other ${b}; p99 times ${ratios.map((each) => each.toFixed(1)).join(', ')}: ` +
      `${ratio.toFixed(2)}, aim ${MAX_TIMES}; ${refused} refused of ${besideMs.length + refused}; the other did ${median(rates).toFixed(0)}/s; ` +
      `${ratios.length} of ${tries} rounds count`,
  )
  return ratio <= MAX_TIMES && refused === 0
}

const ownReceiver = await startReceivers(1, 0)
const otherReceivers = await startReceivers(20, 0)
try {
  const results = await withBusinesses(DEFAULT_RATE_LIMIT, async ({ service, quiet, loads }) => {
    const { pay, check, floodPayments, floodReads, floodOfStrangers } = loads
    await compare({ name: 'payments beside computing', measure: pay, flood: compute })
    await compare({ name: 'reads beside computing', measure: check, flood: compute })
    return [
      await compare({ name: 'payments beside payments', measure: pay, flood: floodPayments }),
      await compare({ name: 'reads beside payments', measure: check, flood: floodPayments }),
      await compare({ name: 'reads beside reads', measure: check, flood: floodReads }),
      await compare({ name: 'reads beside strangers', measure: check, flood: floodOfStrangers }),
      await compare({ name: 'payments beside billing', measure: pay, ...(await billing(service)) }),
      await compare(await deliveries(service, quiet)),
    ]
  })
  await withBusinesses('0', ({ loads: { check, floodReads } }) =>
    compare({ name: 'reads beside reads without RATE_LIMIT', measure: check, flood: floodReads }),
  )
  if (results.includes(false)) process.exitCode = 1
} finally {
  await Promise.all([ownReceiver.stop(), otherReceivers.stop()])
}

interface Businesses {
  readonly service: BenchService
  readonly quiet: Client
  readonly loads: {
    readonly pay: Subject['measure']
    readonly check: Subject['measure']
    readonly floodPayments: Subject['flood']
    readonly floodReads: Subject['flood']
    readonly floodOfStrangers: Subject['flood']
  }
}

/** Starts a service with two businesses, and warms it up. */
async function withBusinesses<T>(rateLimit: string, use: (businesses: Businesses) => Promise<T>): Promise<T> {
  const service = await startBenchService({ RATE_LIMIT: rateLimit })
  try {
    const loud = await payerOf(service.client)
    const quiet = await payerOf(new Client(await createBusiness(service, [], runToEnd)))
    const order = await quiet.client.createOrder({ customer_uuid: quiet.customerUuid })
    const loudOrder = await loud.client.createOrder({ customer_uuid: loud.customerUuid })
    const flood = { callers: CALLERS, seconds: seconds + 1, sandbox: loud.client.sandbox }
    const stranger = { ...flood.sandbox, api_key: `qk_test_${'0'.repeat(49)}` }
    const loads = {
      pay: () => openLoad(quiet.client, createAndPay(quiet), PAYMENTS_A_SECOND, seconds),
      check: () => openLoad(quiet.client, checkOrder(order.number), READS_A_SECOND, seconds),
      floodPayments: () => floodFrom({ ...flood, customerUuid: loud.customerUuid, token: loud.token }),
      floodReads: () => floodFrom({ ...flood, orderNumber: loudOrder.number }),
      floodOfStrangers: () => floodFrom({ ...flood, sandbox: stranger, orderNumber: loudOrder.number }),
    }
    await loads.floodPayments()
    await loads.pay()
    return await use({ service, quiet: quiet.client, loads })
  } finally {
    await service.stop()
  }
}

/** Keeps each processor busy, without the service: how much of a ratio is the wait for a processor. */
async function compute(): Promise<undefined> {
  const until = `const end = Date.now() + ${(seconds + 1) * 1_000}; while (Date.now() < end);`
  const ended = Array.from({ length: availableParallelism() }, () =>
    once(spawn(process.execPath, ['-e', until]), 'exit'),
  )
  await Promise.all(ended)
}

/** Bills thousands of plans of a business of its own, for as long as the other is measured. */
async function billing(bench: BenchService): Promise<Required<Pick<Subject, 'prepare' | 'flood'>>> {
  const template = await createTemplate(bench, realClock.now().add({ hours: 24 }))
  let businessIds: readonly string[] = []
  return {
    prepare: async () => {
      businessIds = await copyBusinesses(bench, 1)
      await copyPlans(bench, template, PLANS_A_SECOND * (seconds + 1), { businessIds })
    },
    flood: async () => {
      const startAt = realClock.now().subtract({ minutes: 1 })
      await setStart(bench, businessIds, startAt)
      await scheduleBilling(bench, businessIds, startAt)
      await sleep((seconds + 1) * 1_000)
      await stopBilling(bench)
      return withDatabase(bench.postgresUrl, async (database) => {
        const { rows } = await database.query<{ charged: number }>(
          'select count(*)::int as charged from transactions where business_id = any($1)',
          [businessIds],
        )
        return (rows[0]?.charged ?? 0) / (seconds + 1)
      })
    },
  }
}

/** The time from a change until its delivery arrived, while the other business has thousands to deliver. */
async function deliveries(bench: BenchService, quiet: Client): Promise<Subject> {
  await quiet.ok('POST', ENDPOINTS, { endpoint: { url: ownReceiver.urls[0] } })
  for (const url of otherReceivers.urls) await bench.client.ok('POST', ENDPOINTS, { endpoint: { url } })
  const measure = async (): Promise<LoadResult> => {
    await ownReceiver.reset()
    const durationsMs: number[] = []
    const endsAtMs = performance.now() + seconds * 1_000
    for (let sent = 1; performance.now() < endsAtMs; sent++) {
      const startedAtMs = performance.now()
      await quiet.createOrder()
      await ownReceiver.accepted(sent, 30_000)
      durationsMs.push(performance.now() - startedAtMs)
    }
    return {
      rate: 0,
      completed: durationsMs.length,
      durationsMs,
      refused: 0,
      failed: 0,
      p99Ms: 0,
      medianMs: 0,
    }
  }
  let copy = 0
  const flood = async (): Promise<undefined> => {
    copy++
    await withDatabase(bench.postgresUrl, (database) =>
      database.query(
        `with one as (
           select e.* from events e where e.business_id = $1 and e.type = 'order.created' order by e.timestamp desc limit 1
         ), copied as (
           insert into events (business_id, id, object_id, sequence, type, timestamp, data)
           select business_id, id || $2 || n, object_id || $2 || n, 1, type, now(), coalesce(data, '{}')
             from one, generate_series(1, 500) n
         )
         insert into deliveries (business_id, id, event_id, object_id, sequence, url, receiver, endpoint_id, state, due_at, created_at)
         select d.business_id, d.id || $2 || n, one.id || $2 || n, one.object_id || $2 || n, 1, d.url, d.receiver, d.endpoint_id,
                'pending', now(), now()
           from one, generate_series(1, 500) n,
                (select distinct on (receiver) * from deliveries where business_id = $1 order by receiver, id) d`,
        [bench.client.sandbox.business_id, `_${copy}_`],
      ),
    )
    await scheduleDeliveries(bench)
    await sleep((seconds + 1) * 1_000)
  }
  await bench.client.createOrder()
  await otherReceivers.accepted(20, 30_000)
  return { name: 'deliveries beside deliveries', measure, flood }
}

async function scheduleDeliveries(bench: BenchService): Promise<void> {
  await withDatabase(bench.postgresUrl, (database) =>
    database.query(
      `insert into next_runs (business_id, job, due_at) values ($1, 'webhook_deliveries', now())
       on conflict (business_id, job) do update set due_at = now(), rechecks = 0`,
      [bench.client.sandbox.business_id],
    ),
  )
}

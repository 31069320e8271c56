/**
 * What receipts cost a billing run: plans billed by turns with and without them. One mail a second leaves meanwhile, so that
 * nearly all of the cost is that of the run. Then the service is started with the rate that is asked for, and all receipts leave.
 * The costs are those of the service and its database.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type CpuSeconds, describeCpu } from './support/cpu.ts'
import { vacuumAndCheckpoint, withDatabase } from './support/database.ts'
import { type MailCounter, startMailCounter } from './support/mail-counter.ts'
import { copyPlans, createTemplate, stopBilling } from './support/plans.ts'
import { median } from './support/report.ts'
import { type BenchService, startBenchService } from './support/service.ts'

const MESSAGE_SETTINGS = '/svc/billing/api/v1/openapi/message_settings'
const WARM_UP_PLANS = 500
const MAX_COST = 1.1
const SLOWEST_RATE = 1
const WAYS = { 'without receipts': [], 'with receipts': ['receipt'] } as const

type Way = keyof typeof WAYS

interface Cost {
  readonly seconds: number
  readonly cpu: number
  readonly wal: number
  readonly transactions: number
}

const COSTS = ['seconds', 'cpu', 'wal', 'transactions'] as const

async function benchReceipts(plans: number, rounds: number, mailsPerSecond: number): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-receipts-'))
  const mails = await startMailCounter()
  const start = (rate: number) => {
    const settings = { SMTP_URL: mails.url, MAIL_FROM: 'Bench <pay@bench.example>' }
    return startBenchService({ ...settings, MAILS_PER_SECOND: String(rate) }, folder)
  }
  try {
    const service = await start(SLOWEST_RATE)
    const isCheap = await thenStop(service, compareRuns(service, plans, rounds))
    const before = mails.arrivals.length
    const sender = await start(mailsPerSecond)
    const isPaced = await thenStop(sender, allLeave(sender, mails, before, mailsPerSecond))
    return isCheap && isPaced
  } finally {
    await mails.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function thenStop<Result>(service: BenchService, work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } finally {
    await service.stop()
  }
}

async function compareRuns(service: BenchService, plans: number, rounds: number): Promise<boolean> {
  const ways = Object.keys(WAYS) as Way[]
  for (const way of ways) await bill(service, WARM_UP_PLANS, WAYS[way], `${way}, warming up`)
  const costs: Record<Way, Cost[]> = { 'without receipts': [], 'with receipts': [] }
  for (let round = 0; round < rounds; round++) {
    for (const way of ways) costs[way].push(await bill(service, plans, WAYS[way], way))
  }
  const ratios = COSTS.map((name) => {
    const of = (way: Way) => median(costs[way].map((cost) => cost[name]))
    return [name, of('with receipts') / of('without receipts')] as const
  })
  for (const [name, ratio] of ratios) {
    console.log(`${name} with receipts, relative to without: ${ratio.toFixed(3)}, aim ${MAX_COST}`)
  }
  // How much falls into one transaction differs from run to run, and seconds depend on others.
  return ratios.every(([name, ratio]) => (name !== 'cpu' && name !== 'wal') || ratio <= MAX_COST)
}

async function bill(
  service: BenchService,
  plans: number,
  enabled: readonly string[],
  name: string,
): Promise<Cost> {
  const { client, postgresUrl } = service
  await client.ok('PUT', MESSAGE_SETTINGS, { message_settings: { enabled, deliver_in_test: true } })
  const startAt = (await client.now()).add({ hours: 24 })
  const template = await createTemplate(service, startAt, { email: 'payer@example.com' })
  // The template is one of the plans.
  await copyPlans(service, template, plans - 1)
  await vacuumAndCheckpoint(postgresUrl)
  const [before, cpuBefore] = [await databaseCounts(postgresUrl), await service.cpu()]
  const startedAtMs = performance.now()
  await client.advanceTo(startAt.toString())
  const seconds = (performance.now() - startedAtMs) / 1_000
  const [after, cpuAfter] = [await databaseCounts(postgresUrl), await service.cpu()]
  await stopBilling(service)
  if (after.paid - before.paid !== plans) throw new Error(`${after.paid - before.paid} orders are paid`)
  const cost = {
    seconds,
    cpu: cpuOf(cpuAfter) - cpuOf(cpuBefore),
    wal: after.wal - before.wal,
    transactions: after.transactions - before.transactions,
  }
  console.log(
    `${plans} plans ${name}: ${(plans / seconds).toFixed(0)} plans/s; ` +
      `${describeCpu(cpuBefore, cpuAfter, plans / 1_000, 'plans')}; WAL bytes a plan: ${(cost.wal / plans).toFixed(0)}; ` +
      `transactions a plan: ${(cost.transactions / plans).toFixed(3)}`,
  )
  return cost
}

function cpuOf({ service, postgres }: CpuSeconds): number {
  return service + postgres
}

async function databaseCounts(postgresUrl: string) {
  return withDatabase(postgresUrl, async (database) => {
    const { rows } = await database.query<{ paid: number; wal: number; transactions: number }>(
      `select (select count(*)::int from orders where state = 'completed') as paid,
              pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as wal,
              (select sum(xact_commit)::int from pg_stat_database where datname = current_database()) as transactions`,
    )
    const [counts] = rows
    if (counts === undefined) throw new Error('nothing is counted')
    return counts
  })
}

/** @param before the mails that arrived before the service had this rate */
async function allLeave(
  service: BenchService,
  mails: MailCounter,
  before: number,
  mailsPerSecond: number,
): Promise<boolean> {
  const cpuBefore = await service.cpu()
  while ((await queuedMessages(service.postgresUrl)) > 0) await sleep(1_000)
  const arrivals = mails.arrivals.slice(before)
  const seconds = ((arrivals.at(-1) ?? 0) - (arrivals[0] ?? 0)) / 1_000
  const rate = (arrivals.length - 1) / seconds
  console.log(
    `${arrivals.length} receipts arrived in ${seconds.toFixed(0)} s: ${rate.toFixed(1)} a second, setting ${mailsPerSecond}; ` +
      `${describeCpu(cpuBefore, await service.cpu(), arrivals.length / 1_000, 'mails')}; ` +
      `${mails.ids.size} different ids in ${mails.arrivals.length} mails`,
  )
  return mailsPerSecond === 0 || rate <= mailsPerSecond
}

async function queuedMessages(postgresUrl: string): Promise<number> {
  return withDatabase(postgresUrl, async (database) => {
    const { rows } = await database.query<{ queued: number }>(
      `select count(*)::int as queued from messages where state = 'queued'`,
    )
    return rows[0]?.queued ?? 0
  })
}

const [plans = 10_000, rounds = 3, mailsPerSecond = 200] = process.argv.slice(2).map(Number)
if (!(await benchReceipts(plans, rounds, mailsPerSecond))) process.exitCode = 1

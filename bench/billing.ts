/**
 * Bills due plans and pays them through the simulator: for one tenant on a moved clock and on the real clock, for
 * many tenants with ten plans each, with tax and an invoice of each plan, and with three prices and a coupon on each plan, which
 * one bulk action then moves to a new version of a price. The limit is the SQL of a billing run without the service.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { realClock } from '#kernel/clock'
import { billingSqlRate } from './support/billing-sql.ts'
import { type CpuSeconds, describeCpu, type Throughput, throughputOf } from './support/cpu.ts'
import { vacuumAndCheckpoint, withDatabase } from './support/database.ts'
import {
  copyBusinesses,
  copyPlans,
  createTemplate,
  createVersion,
  type PlanTemplate,
  scheduleBilling,
  setStart,
  stopBilling,
} from './support/plans.ts'
import { report, SLACK } from './support/report.ts'
import { type BenchService, startBenchService } from './support/service.ts'

export interface BillingSizes {
  readonly many: number
  /** The sizes of runs whose figures hold for one machine only. */
  readonly alsoMeasured?: { readonly few: number; readonly tenants: number }
}

const WARM_UP_PLANS = 500
const PLANS_PER_TENANT = 10
const SQL_SECONDS = 5
const MIN_BROAD_RATIO = 0.6
const MIN_INVOICED_RATIO = 0.6
const MAX_COST_RATIO = 1.2
const MAX_MEMORY_MB = 250
const POLL_MS = 50

export interface BillingResult {
  readonly ratioHolds: boolean
  readonly broadRatioHolds: boolean
  readonly invoicedRatioHolds: boolean
  readonly figuresHold?: boolean
}

export async function benchBilling({ many: plans, alsoMeasured }: BillingSizes): Promise<BillingResult> {
  const service = await startBenchService()
  try {
    await billOnMovedClock(service, { plans: WARM_UP_PLANS, days: 1 }, 'warming up')
    const few = alsoMeasured && (await billFew(service, alsoMeasured))
    await service.resetPeakMemory()
    const { rate: many } = await billOnMovedClock(service, { plans, days: 1 })
    const peakMb = await service.peakMemoryMb()
    const broad = await billBroad(service, plans)
    const broadRatioHolds = report({
      name: 'billing with three prices and a coupon',
      unit: 'plans/s',
      ours: broad.rate,
      limit: many,
      limitName: 'the same run without them',
      aim: MIN_BROAD_RATIO,
    })
    const invoicedRatioHolds = report({
      name: 'billing with tax and invoices',
      unit: 'plans/s',
      ours: await billInvoiced(service, plans),
      limit: many,
      limitName: 'the same run without them',
      aim: MIN_INVOICED_RATIO,
    })
    const limit = await billingSqlRate(service, SQL_SECONDS)
    const ratioHolds = report({
      name: 'billing',
      unit: 'plans/s',
      ours: many,
      limit,
      limitName: 'the SQL of the run without the service',
      aim: 0.15,
    })
    if (few === undefined) return { ratioHolds, broadRatioHolds, invoicedRatioHolds }
    await changeInBulk(service, broad.template, plans)
    const costRatio = few / many
    console.log(
      `cost of a plan among ${plans}, relative to one among ${alsoMeasured?.few}: ${costRatio.toFixed(2)}, aim ${MAX_COST_RATIO}`,
    )
    console.log(`peak memory of the service during billing: ${peakMb.toFixed(0)} MB, aim ${MAX_MEMORY_MB}`)
    return {
      ratioHolds,
      broadRatioHolds,
      invoicedRatioHolds,
      figuresHold: costRatio <= MAX_COST_RATIO * (1 + SLACK) && peakMb <= MAX_MEMORY_MB,
    }
  } finally {
    await service.stop()
  }
}

/** @returns plans a second of the first run */
async function billFew(
  service: BenchService,
  { few, tenants }: { readonly few: number; readonly tenants: number },
): Promise<number> {
  const { rate } = await billOnMovedClock(service, { plans: few, days: 1 })
  await billOnRealClock(service, 1, few)
  await billOnMovedClock(service, { plans: few, days: 28 })
  await billOnRealClock(service, tenants, PLANS_PER_TENANT)
  return rate
}

export async function billOnMovedClock(
  service: BenchService,
  size: { readonly plans: number; readonly days: number },
  name = size.days === 1 ? 'on a moved clock' : `on a moved clock, spread over ${size.days} days`,
): Promise<Throughput> {
  const startAt = (await service.client.now()).add({ hours: 24 })
  return billTemplate(service, await createTemplate(service, startAt), { ...size, name, startAt })
}

async function billBroad(service: BenchService, plans: number) {
  const startAt = (await service.client.now()).add({ hours: 24 })
  const template = await createTemplate(service, startAt, { isBroad: true })
  const name = 'with three prices and a coupon each'
  const { rate } = await billTemplate(service, template, { plans, days: 1, name, startAt })
  return { template, rate }
}

async function billInvoiced(service: BenchService, plans: number): Promise<number> {
  const startAt = (await service.client.now()).add({ hours: 24 })
  const template = await createTemplate(service, startAt, { isInvoiced: true })
  const run = { plans, days: 1, name: 'with tax and an invoice each', startAt }
  return (await billTemplate(service, template, run)).rate
}

interface BillingRun {
  readonly plans: number
  readonly days: number
  readonly name: string
  readonly startAt: Temporal.Instant
}

async function billTemplate(
  service: BenchService,
  template: PlanTemplate,
  { name, startAt, ...size }: BillingRun,
): Promise<Throughput> {
  // The template is one of the plans.
  await copyPlans(service, template, size.plans - 1, { days: size.days })
  await vacuumAndCheckpoint(service.postgresUrl)
  const [paidBefore, cpuBefore] = [await paidOrders(service), await service.cpu()]
  const startedAtMs = performance.now()
  await service.client.advanceTo(startAt.add({ hours: 24 * (size.days - 1) }).toString())
  const seconds = (performance.now() - startedAtMs) / 1_000
  const cpuAfter = await service.cpu()
  const run = { plans: size.plans, seconds, name, cpuBefore }
  const paid = (await printRun(service, run)) - paidBefore
  await stopBilling(service)
  if (paid !== size.plans) throw new Error(`only ${paid} of ${size.plans} orders are paid`)
  return throughputOf(size.plans, seconds, cpuBefore, cpuAfter)
}

const PLAN_ACTIONS = '/svc/payment/api/v1/openapi/recurring_payments/bulk_actions'

/** Moves all plans to a new version of one of their prices, ten days into the period. */
async function changeInBulk(service: BenchService, template: PlanTemplate, plans: number): Promise<void> {
  const { client } = service
  const [from = ''] = template.prices
  const to = await createVersion(service, from)
  await client.advanceTo((await client.now()).add({ hours: 240 }).toString())
  const cpuBefore = await service.cpu()
  const startedAtMs = performance.now()
  const change = { replace: [{ from, to }] }
  const body = { bulk_action: { action: 'change', filter: `price_id = "${from}"`, change } }
  const { bulk_action: begun } = await client.ok('POST', PLAN_ACTIONS, body)
  let action = begun
  while (action.state !== 'completed') {
    await sleep(POLL_MS)
    action = (await client.ok('GET', `${PLAN_ACTIONS}/${begun.id}`)).bulk_action
  }
  const seconds = (performance.now() - startedAtMs) / 1_000
  await printRun(service, { plans, seconds, name: 'moved to a new price by one bulk action', cpuBefore })
  if (action.succeeded !== plans) throw new Error(`only ${action.succeeded} of ${plans} plans are moved`)
}

async function billOnRealClock(
  service: BenchService,
  tenants: number,
  plansPerTenant: number,
): Promise<void> {
  const plans = tenants * plansPerTenant
  const template = await createTemplate(service, (await service.client.now()).add({ hours: 24 }))
  const businessIds = await copyBusinesses(service, tenants)
  await copyPlans(service, template, plans, { businessIds })
  const startAt = realClock.now()
  await setStart(service, businessIds, startAt)
  const [paidBefore, cpuBefore] = [await paidOrders(service), await service.cpu()]
  const startedAtMs = performance.now()
  await scheduleBilling(service, businessIds, startAt)
  await waitUntilNoPlanIsDue(service)
  const seconds = (performance.now() - startedAtMs) / 1_000
  const name = `on the real clock, ${tenants === 1 ? 'one tenant' : `${tenants} tenants`}`
  const paid = (await printRun(service, { plans, seconds, name, cpuBefore })) - paidBefore
  await stopBilling(service)
  if (paid !== plans) throw new Error(`only ${paid} of ${plans} orders are paid`)
}

async function printRun(
  service: BenchService,
  run: { plans: number; seconds: number; name: string; cpuBefore: CpuSeconds },
): Promise<number> {
  const cpu = describeCpu(run.cpuBefore, await service.cpu(), run.plans / 1_000, 'plans')
  console.log(`${run.plans} plans ${run.name}: ${(run.plans / run.seconds).toFixed(0)} plans/s; ${cpu}`)
  return paidOrders(service)
}

async function paidOrders(service: BenchService): Promise<number> {
  return withDatabase(service.postgresUrl, async (database) => {
    const { rows } = await database.query<{ paid: number }>(
      `select count(*)::int as paid from orders where state = 'completed'`,
    )
    return rows[0]?.paid ?? 0
  })
}

async function waitUntilNoPlanIsDue(service: BenchService): Promise<void> {
  await withDatabase(service.postgresUrl, async (database) => {
    for (;;) {
      const { rows } = await database.query<{ due: boolean }>(
        `select exists (select from next_runs
                         where job = 'recurring' and rechecks = 0 and due_at <= now()) as due`,
      )
      if (rows[0]?.due === false) return
      await sleep(POLL_MS)
    }
  })
}

if (import.meta.main) {
  const [few = 1_000, many = 5_000, tenants = 100] = process.argv.slice(2).map(Number)
  await benchBilling({ many, alsoMeasured: { few, tenants } })
}

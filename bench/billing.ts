/**
 * Billing runs: plans that are due at one moment, billed and paid through the simulator. Of one tenant,
 * on its moved clock and on the real one, and of many tenants with ten plans each. Beside it the SQL of
 * the run alone.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { realClock } from '#kernel/clock'
import { billingSqlRate } from './support/billing-sql.ts'
import { type CpuSeconds, describeCpu } from './support/cpu.ts'
import { settleTables, withDatabase } from './support/database.ts'
import {
  copyBusinesses,
  copyPlans,
  makeTemplate,
  moveStarts,
  retirePlans,
  showRunner,
} from './support/plans.ts'
import { report, SLACK } from './support/report.ts'
import { type BenchService, startBenchService } from './support/service.ts'

export interface BillingSizes {
  /** Plans of one tenant, the smaller and the larger run. */
  readonly few: number
  readonly many: number
  /** Tenants with ten plans each. */
  readonly tenants: number
}

const WARM_UP = 500
const PLANS_A_TENANT = 10
const SECONDS_OF_SQL = 5
/** The most that a plan may cost in the larger run, as multiples of the smaller. */
const MAX_GROWTH = 1.2
const MAX_MEMORY_MB = 250
const POLL_MS = 50

export interface BillingResult {
  readonly ratioHolds: boolean
  /** Growth with the number of plans, and memory. */
  readonly figuresHold: boolean
}

export async function benchBilling(sizes: BillingSizes): Promise<BillingResult> {
  const service = await startBenchService()
  try {
    await billOnMovedClock(service, { plans: WARM_UP, days: 1 }, 'warming up')
    const few = await billOnMovedClock(service, { plans: sizes.few, days: 1 })
    await billOnRealClock(service, 1, sizes.few)
    await billOnMovedClock(service, { plans: sizes.few, days: 28 })
    await billOnRealClock(service, sizes.tenants, PLANS_A_TENANT)
    await service.forgetPeakMemory()
    const many = await billOnMovedClock(service, { plans: sizes.many, days: 1 })
    const peakMb = await service.peakMemoryMb()
    const limit = await billingSqlRate(service, SECONDS_OF_SQL)
    const growth = few / many
    console.log(
      `a plan of ${sizes.many} costs ${growth.toFixed(2)} times what one of ${sizes.few} does, aim ${MAX_GROWTH}`,
    )
    console.log(`peak memory of the service while it bills: ${peakMb.toFixed(0)} MB, aim ${MAX_MEMORY_MB}`)
    const ratioHolds = report({
      name: 'billing',
      unit: 'plans/s',
      ours: many,
      limit,
      limitName: 'the SQL of the run alone',
      aim: 0.15,
    })
    return { ratioHolds, figuresHold: growth <= MAX_GROWTH * (1 + SLACK) && peakMb <= MAX_MEMORY_MB }
  } finally {
    await service.stop()
  }
}

/** Plans a second from `clock/advance` to its answer. */
async function billOnMovedClock(
  service: BenchService,
  size: { readonly plans: number; readonly days: number },
  name = size.days === 1 ? 'on a moved clock' : `on a moved clock, spread over ${size.days} days`,
): Promise<number> {
  const startAt = (await service.client.now()).add({ hours: 24 })
  const template = await makeTemplate(service, startAt)
  // The template is one of them.
  await copyPlans(service, template, size.plans - 1, { days: size.days })
  await settleTables(service.postgresUrl)
  const [paidBefore, cpuBefore] = [await paidOrders(service), await service.cpu()]
  const began = performance.now()
  await service.client.advanceTo(startAt.add({ hours: 24 * (size.days - 1) }).toString())
  const seconds = (performance.now() - began) / 1_000
  const tell = { plans: size.plans, seconds, name, cpuBefore }
  // Their next orders are not in the way of the next run.
  const paid = (await tellRun(service, tell)) - paidBefore
  await retirePlans(service)
  if (paid !== size.plans) throw new Error(`${paid} of ${size.plans} orders are paid`)
  return size.plans / seconds
}

/** Plans a second from when the runner can see them until nothing is due any more. */
async function billOnRealClock(service: BenchService, tenants: number, plansEach: number): Promise<void> {
  const plans = tenants * plansEach
  const template = await makeTemplate(service, (await service.client.now()).add({ hours: 24 }))
  const businessIds = await copyBusinesses(service, tenants)
  await copyPlans(service, template, plans, { businessIds })
  const at = realClock.now()
  await moveStarts(service, businessIds, at)
  const [paidBefore, cpuBefore] = [await paidOrders(service), await service.cpu()]
  const began = performance.now()
  await showRunner(service, businessIds, at)
  await untilNothingIsDue(service)
  const seconds = (performance.now() - began) / 1_000
  const name = `on the real clock, ${tenants === 1 ? 'one tenant' : `${tenants} tenants`}`
  const paid = (await tellRun(service, { plans, seconds, name, cpuBefore })) - paidBefore
  await retirePlans(service)
  if (paid !== plans) throw new Error(`${paid} of ${plans} orders are paid`)
}

/** Prints a run; answers how many orders are paid by now. */
async function tellRun(
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

async function untilNothingIsDue(service: BenchService): Promise<void> {
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

/** `node bench/billing.ts 1000 5000 100` runs it alone. */
if (import.meta.main) {
  const [few = 1_000, many = 5_000, tenants = 100] = process.argv.slice(2).map(Number)
  await benchBilling({ few, many, tenants })
}

/** Advances the clock by a year that bills and pays every period of one monthly plan, then of thousands. */
import { describeCpu } from './support/cpu.ts'
import { vacuumAndCheckpoint, withDatabase } from './support/database.ts'
import { copyPlans, createTemplate, stopBilling } from './support/plans.ts'
import { SLACK } from './support/report.ts'
import { type BenchService, startBenchService } from './support/service.ts'

const MONTHS = 12
const MAX_SECONDS_ONE_PLAN = 2
const MIN_ORDERS_PER_SECOND = 1_000

export async function benchYear(plans: number): Promise<boolean> {
  const service = await startBenchService()
  try {
    await billAYear(service, 1)
    const onePlan = await billAYear(service, 1)
    console.log(`a year of one plan takes ${onePlan.seconds.toFixed(2)} s, aim ${MAX_SECONDS_ONE_PLAN}`)
    const manyPlans = await billAYear(service, plans)
    const rate = manyPlans.orders / manyPlans.seconds
    console.log(
      `a year of ${plans} plans: ${rate.toFixed(0)} orders/s, aim ${MIN_ORDERS_PER_SECOND}; ${manyPlans.cpu}`,
    )
    return (
      onePlan.seconds <= MAX_SECONDS_ONE_PLAN * (1 + SLACK) && rate >= MIN_ORDERS_PER_SECOND * (1 - SLACK)
    )
  } finally {
    await service.stop()
  }
}

async function billAYear(
  service: BenchService,
  plans: number,
): Promise<{ seconds: number; orders: number; cpu: string }> {
  const startAt = (await service.client.now()).add({ hours: 24 })
  const template = await createTemplate(service, startAt)
  await copyPlans(service, template, plans - 1)
  await vacuumAndCheckpoint(service.postgresUrl)
  const cpuBefore = await service.cpu()
  const startedAtMs = performance.now()
  await service.client.advanceBy('P1Y')
  const seconds = (performance.now() - startedAtMs) / 1_000
  const orders = plans * MONTHS
  const cpu = describeCpu(cpuBefore, await service.cpu(), orders / 1_000, 'orders')
  await withDatabase(service.postgresUrl, async (database) => {
    const { rows } = await database.query<{ paid: number }>(
      `select count(*)::int as paid from orders where state = 'completed' and created_at >= $1`,
      [startAt.toString()],
    )
    if (rows[0]?.paid !== orders) throw new Error(`only ${rows[0]?.paid} of ${orders} orders are paid`)
  })
  await stopBilling(service)
  return { seconds, orders, cpu }
}

if (import.meta.main) {
  const [plans = 2_000] = process.argv.slice(2).map(Number)
  await benchYear(plans)
}

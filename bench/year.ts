/** A year of one monthly plan, and of thousands, on the moved clock: every period billed and paid. */
import { describeCpu } from './support/cpu.ts'
import { settleTables, withDatabase } from './support/database.ts'
import { copyPlans, makeTemplate, retirePlans } from './support/plans.ts'
import { SLACK } from './support/report.ts'
import { type BenchService, startBenchService } from './support/service.ts'

const MONTHS = 12
/** One plan's year, at most; and thousands of plans, at least. */
const MAX_SECONDS_ALONE = 2
const MIN_ORDERS_A_SECOND = 1_000

export async function benchYear(plans: number): Promise<boolean> {
  const service = await startBenchService()
  try {
    await liveAYear(service, 1)
    const alone = await liveAYear(service, 1)
    console.log(`one plan lives a year in ${alone.seconds.toFixed(2)} s, aim ${MAX_SECONDS_ALONE}`)
    const many = await liveAYear(service, plans)
    const rate = many.orders / many.seconds
    console.log(
      `${plans} plans live a year: ${rate.toFixed(0)} orders/s, aim ${MIN_ORDERS_A_SECOND}; ${many.cpu}`,
    )
    return alone.seconds <= MAX_SECONDS_ALONE * (1 + SLACK) && rate >= MIN_ORDERS_A_SECOND * (1 - SLACK)
  } finally {
    await service.stop()
  }
}

async function liveAYear(
  service: BenchService,
  plans: number,
): Promise<{ seconds: number; orders: number; cpu: string }> {
  const startAt = (await service.client.now()).add({ hours: 24 })
  const template = await makeTemplate(service, startAt)
  await copyPlans(service, template, plans - 1)
  await settleTables(service.postgresUrl)
  const cpuBefore = await service.cpu()
  const began = performance.now()
  await service.client.advanceBy('P1Y')
  const seconds = (performance.now() - began) / 1_000
  const orders = plans * MONTHS
  const cpu = describeCpu(cpuBefore, await service.cpu(), orders / 1_000, 'orders')
  await withDatabase(service.postgresUrl, async (database) => {
    const { rows } = await database.query<{ paid: number }>(
      `select count(*)::int as paid from orders where state = 'completed' and created_at >= $1`,
      [startAt.toString()],
    )
    if (rows[0]?.paid !== orders) throw new Error(`${rows[0]?.paid} of ${orders} orders are paid`)
  })
  await retirePlans(service)
  return { seconds, orders, cpu }
}

/** `node bench/year.ts 2000` runs it alone. */
if (import.meta.main) {
  const [plans = 2_000] = process.argv.slice(2).map(Number)
  await benchYear(plans)
}

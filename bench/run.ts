/**
 * Prints each figure beside its limit, measured in the same run, as a ratio. `--short` is CI's
 * version; with `--assert` a ratio that is more than 30 % below its aim fails the run. Absolute figures
 * are asserted in the full version only, which is for the machine they were set for.
 */
import { benchBilling } from './billing.ts'
import { benchCards } from './cards.ts'
import { benchOrderCheck } from './order-check.ts'
import { benchOrderPay } from './order-pay.ts'
import { benchStart } from './start.ts'
import { startBenchService } from './support/service.ts'
import { benchWallets } from './wallets.ts'
import { benchWebhooks } from './webhooks.ts'
import { benchYear } from './year.ts'

const short = process.argv.includes('--short')
const seconds = short ? 3 : 10

async function benchOrders(): Promise<boolean[]> {
  const service = await startBenchService()
  try {
    const holds = [
      await benchOrderCheck(service, seconds),
      await benchOrderPay(service, seconds),
      await benchCards(service, seconds),
      await benchWallets(service.postgresUrl, short ? 1_000 : 5_000),
      await benchWebhooks(service, seconds),
    ]
    console.log(`peak memory of the service: ${(await service.peakMemoryMb()).toFixed(0)} MB`)
    return holds
  } finally {
    await service.stop()
  }
}

const starts = await benchStart()
const ratios = await benchOrders()
const sizes = short
  ? { few: 1_000, many: 5_000, tenants: 100 }
  : { few: 10_000, many: 100_000, tenants: 10_000 }
const billing = await benchBilling(sizes)
const year = await benchYear(short ? 200 : 2_000)
const holds = [...ratios, billing.ratioHolds, ...(short ? [] : [starts, year, billing.figuresHold])]
if (process.argv.includes('--assert') && holds.includes(false)) process.exitCode = 1

/**
 * Prints each figure beside its limit, measured in the same run, as a ratio. `--short` is CI's
 * version; with `--assert` a ratio that is more than 30 % below its aim in every round fails the run. Absolute
 * figures are asserted in the full version only, which is for the machine they were set for.
 *
 * `npm run bench` has one thread collect the callers' garbage: with its helpers waiting for a processor, each collection
 * kept all callers waiting for up to 24 ms, which the 99th percentile then showed as the service's.
 */
import { writeFileSync } from 'node:fs'
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
const asserting = process.argv.includes('--assert')
const seconds = short ? 3 : 10
const rounds = asserting ? 3 : 1
const sizes = short
  ? { few: 1_000, many: 5_000, tenants: 100 }
  : { few: 10_000, many: 100_000, tenants: 10_000 }

/** Whether a figure reached its aim, by its name. */
type Holds = Record<string, boolean>

async function benchOrders(): Promise<Holds> {
  const service = await startBenchService()
  try {
    const holds: Holds = {
      'order check': await benchOrderCheck(service, seconds),
      'order create + pay': await benchOrderPay(service, seconds),
      cards: await benchCards(service, seconds),
      wallets: await benchWallets(service.postgresUrl, short ? 1_000 : 5_000),
      webhooks: await benchWebhooks(service, seconds),
    }
    console.log(`peak memory of the service: ${(await service.peakMemoryMb()).toFixed(0)} MB`)
    return holds
  } finally {
    await service.stop()
  }
}

/** Whether each figure of `measure` holds. Machines are shared: what is really too low is so every time. */
async function inSomeRound(measure: () => Promise<Holds>): Promise<Holds> {
  const holds = await measure()
  for (let round = 2; round <= rounds && Object.values(holds).includes(false); round++) {
    console.log('too low: measured once more')
    for (const [name, held] of Object.entries(await measure())) holds[name] ||= held
  }
  return holds
}

const start = await benchStart()
const orders = await inSomeRound(benchOrders)
const billing = await inSomeRound(async (): Promise<Holds> => {
  const { ratioHolds, figuresHold } = await benchBilling(sizes)
  return { 'ratio of billing': ratioHolds, ...(!short && { 'figures of billing': figuresHold }) }
})
const year = await benchYear(short ? 200 : 2_000)
const holds: Holds = { ...orders, ...billing, ...(!short && { start, year }) }
const failed = Object.values(holds).filter((held) => !held).length
const resultsFile = process.env['QUITTANCE_TEST_RESULTS']
if (resultsFile !== undefined) {
  // In the form of vitest's reports, for CI to add up.
  const assertionResults = Object.entries(holds).map(([fullName, held]) => ({
    fullName,
    status: held ? 'passed' : 'failed',
  }))
  const status = failed === 0 ? 'passed' : 'failed'
  const results = {
    numPassedTests: assertionResults.length - failed,
    testResults: [{ name: import.meta.filename, status, assertionResults }],
  }
  writeFileSync(resultsFile, JSON.stringify(results))
}
if (asserting && failed > 0) process.exitCode = 1

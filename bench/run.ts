/**
 * Prints each figure beside its limit, measured in the same run, as a ratio. `--short` is CI's
 * version; with `--assert` a ratio that is more than 30 % below its aim fails the run.
 */
import { benchOrderCheck } from './order-check.ts'
import { benchOrderPay } from './order-pay.ts'
import { startBenchService } from './support/service.ts'

const short = process.argv.includes('--short')
const seconds = short ? 3 : 10
const service = await startBenchService()
try {
  const holds = [await benchOrderCheck(service, seconds), await benchOrderPay(service, seconds)]
  console.log(`peak memory of the service: ${(await service.peakMemoryMb()).toFixed(0)} MB`)
  if (process.argv.includes('--assert') && holds.includes(false)) process.exitCode = 1
} finally {
  await service.stop()
}

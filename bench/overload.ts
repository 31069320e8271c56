/**
 * Orders created and paid at the peak, and at twice that rate by callers who do not wait. Goodput is what was paid: the bench fails
 * when it is below its aim by more than noise, or when a request failed in any other way than by being refused. Orders paid
 * for a second of processor time explain it: where they are as many as at the peak, either too much was refused or others used
 * the machine. Rounds in which the host took processor time from the virtual machine are repeated.
 * `node --single-threaded-gc bench/overload.ts [rounds] [seconds]`
 */
import { MAX_STOLEN, TRIES_PER_ROUND, withStolenShare } from './support/cpu.ts'
import { closedLoad, createAndPay, openLoad, payerOf } from './support/load.ts'
import { median, NOISE } from './support/report.ts'
import { type BenchService, startBenchService } from './support/service.ts'

const CALLERS = 32
const TIMES = 2
const MIN_GOODPUT = 0.9
const [rounds = 5, seconds = 5] = process.argv.slice(2).map(Number)

async function measured<T extends { readonly completed: number }>(
  service: BenchService,
  work: () => Promise<T>,
): Promise<T & { readonly cpuMs: number }> {
  const before = await service.cpu()
  const result = await work()
  const after = await service.cpu()
  const cpu = after.service - before.service + after.postgres - before.postgres
  return { ...result, cpuMs: (cpu * 1_000) / result.completed }
}

const service = await startBenchService({ REQUEST_LOG_DAYS: '30' })
try {
  const payer = await payerOf(service.client)
  const task = createAndPay(payer)
  await closedLoad(service.client, task, CALLERS, seconds)
  const ratios: number[] = []
  const cpuRatios: number[] = []
  const p99s: number[] = []
  let failed = 0
  let tries = 0
  for (; ratios.length < rounds && tries < rounds * TRIES_PER_ROUND; tries++) {
    const { result, stolen } = await withStolenShare(async () => {
      const peak = await measured(service, () => closedLoad(service.client, task, CALLERS, seconds))
      const over = await measured(service, () => openLoad(service.client, task, peak.rate * TIMES, seconds))
      return { peak, over }
    })
    const { peak, over } = result
    failed += peak.failed + over.failed
    if (stolen > MAX_STOLEN) continue
    cpuRatios.push(peak.cpuMs / over.cpuMs)
    ratios.push(over.rate / peak.rate)
    p99s.push(over.p99Ms)
    console.log(
      `peak ${peak.rate.toFixed(0)} orders/s, p99 ${peak.p99Ms.toFixed(0)} ms, CPU ${peak.cpuMs.toFixed(1)} ms each; at ${TIMES} times the peak ` +
        `${over.rate.toFixed(0)} paid/s, CPU ${over.cpuMs.toFixed(1)} ms each, p99 of accepted requests ${over.p99Ms.toFixed(0)} ms, median ${over.medianMs.toFixed(0)} ms, ${over.refused} refused, ${over.failed} failed`,
    )
  }
  console.log(`${ratios.length} of ${tries} rounds count, ${failed} requests failed`)
  const goodput = median(ratios)
  console.log(
    `goodput at ${TIMES} times the peak: ${goodput.toFixed(2)} of the peak, ${median(cpuRatios).toFixed(2)} by processor time, aim ${MIN_GOODPUT}; ` +
      `p99 of accepted requests: ${median(p99s).toFixed(0)} ms`,
  )
  if (goodput < MIN_GOODPUT * (1 - NOISE) || failed > 0) process.exitCode = 1
} finally {
  await service.stop()
}

/** The program behind `npm run simulate`. See README.md. Exits 1 when a guarantee is broken. */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { ACQUIRERS, type AcquirerName } from './acquirers/index.ts'
import { type Layout, LAYOUTS } from './faults/process-group.ts'
import { replayCommand, type Report, simulate, type Supervisor, SUPERVISORS } from './simulate.ts'

const MAX_SEED = 0x7fff_ffff
/** A restart, a lease of the killed process and the work in between: ten times the usual duration on two cores. */
const MAX_MS_PER_KILL = 60_000
const MAX_MS_WITHOUT_KILLS = 600_000
const MAX_PRINTED_FINDINGS = 50

const { values } = parseArgs({
  options: {
    kills: { type: 'string' },
    failovers: { type: 'string', default: '0' },
    supervisor: { type: 'string', default: 'simulation' },
    plans: { type: 'string', default: '2000' },
    orders: { type: 'string', default: '500' },
    months: { type: 'string', default: '6' },
    seed: { type: 'string' },
    acquirer: { type: 'string', default: 'simulator' },
    processes: { type: 'string', default: 'start' },
    'database-url': { type: 'string' },
    'crash-database': { type: 'string' },
  },
})
const failovers = wholeNumber('failovers', values.failovers, 0)
const size = {
  failovers,
  supervisor: supervisorNamed(values.supervisor),
  acquirer: acquirerNamed(values.acquirer),
  layout: layoutNamed(values.processes),
  databaseUrl: databaseUrlOf(values['database-url']),
  crashDatabase: crashCommandOf(values['crash-database']),
  kills: wholeNumber('kills', values.kills ?? (failovers === 0 ? '100' : '0'), 0),
  plans: wholeNumber('plans', values.plans, 1),
  orders: wholeNumber('orders', values.orders, 0),
  months: wholeNumber('months', values.months, 1),
  seed: values.seed === undefined ? randomInt(MAX_SEED) : wholeNumber('seed', values.seed, 0),
}

const interruption = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => interruption.abort(new Error(`interrupted by ${signal}`)))
}

console.log(`seed ${size.seed}`)
const report = await simulate({
  ...size,
  signal: interruption.signal,
  timeoutMs: MAX_MS_WITHOUT_KILLS + (size.kills + size.failovers) * MAX_MS_PER_KILL,
  log: (message) => console.log(message),
})
print(report)
if (report.findings.length > 0) process.exitCode = 1

function acquirerNamed(text: string): AcquirerName {
  const found = ACQUIRERS.find((name) => name === text)
  if (found === undefined) throw new Error(`--acquirer must be one of ${ACQUIRERS.join(', ')}.`)
  return found
}

function layoutNamed(text: string): Layout {
  const found = LAYOUTS.find((layout) => layout === text)
  if (found === undefined) throw new Error(`--processes must be one of ${LAYOUTS.join(' or ')}.`)
  return found
}

function supervisorNamed(text: string): Supervisor {
  const found = SUPERVISORS.find((name) => name === text)
  if (found === undefined) throw new Error(`--supervisor must be one of ${SUPERVISORS.join(', ')}.`)
  return found
}

function databaseUrlOf(url: string | undefined): string | undefined {
  if (url !== undefined && failovers > 0)
    throw new Error('--failovers needs databases of its own, without --database-url.')
  return url
}

function crashCommandOf(command: string | undefined): string | undefined {
  if (command !== undefined && values['database-url'] === undefined)
    throw new Error('--crash-database needs --database-url.')
  return command
}

function wholeNumber(name: string, text: string, min: number): number {
  if (/^\d{1,10}$/.test(text) && Number(text) >= min) return Number(text)
  throw new Error(`--${name} must be a whole number of at least ${min}.`)
}

function print({ kills, failovers: executed, findings, merchant, ...rest }: Report): void {
  const byTarget = Map.groupBy(kills, ({ kill }) => kill.target)
  const counts = [...byTarget].map(([target, ofTarget]) => `${target} ${ofTarget.length}`).join(', ')
  console.log(`${kills.length} kills: ${counts}`)
  console.log(
    `${kills.filter((kill) => kill.wasAdvancing).length} during clock/advance, ` +
      `${kills.filter((kill) => !kill.wasReady).length} before the service was ready again, ` +
      `${kills.filter((kill) => kill.hitDatabase).length} hit a running database`,
  )
  if (executed.length > 0) printFailovers(executed)
  console.log(`${rest.bookings} bookings, ${rest.orders} orders, ${rest.seconds} s`)
  for (const [reason, times] of [...(merchant?.retries ?? [])].toSorted((a, b) => b[1] - a[1])) {
    console.log(`retried after ${reason}: ${times}`)
  }
  console.log(`requests with a final response after a 504: ${merchant?.resolvedAfter504 ?? 0}`)
  for (const error of merchant?.serverErrors.slice(0, 10) ?? []) console.log(`500 response: ${error}`)
  if (findings.length === 0) return console.log('Every amount moved exactly once. Nothing is unresolved.')
  for (const finding of findings.slice(0, MAX_PRINTED_FINDINGS)) console.log(`FOUND: ${finding}`)
  console.log(`${findings.length} findings. The files are in ${rest.keptDirectory}. To replay:`)
  console.log(`  ${replayCommand(size)}`)
}

function printFailovers(executed: Report['failovers']): void {
  const of = (text: string, some: Report['failovers']) => {
    const times = some.map(({ writesAfterMs }) => Math.round(writesAfterMs)).toSorted((a, b) => a - b)
    console.log(
      `${some.length} failovers ${text}: time to write again ${medianOf(times)} ms (median), ${times.at(-1) ?? 0} ms (worst)`,
    )
  }
  of('in all', executed)
  of(
    'with a primary that was killed',
    executed.filter(({ failover }) => !failover.hangs),
  )
  of(
    'with a primary that fell silent',
    executed.filter(({ failover }) => failover.hangs),
  )
  console.log(`${executed.filter(({ wasUnderLoad }) => wasUnderLoad).length} of them under load`)
}

function medianOf(sorted: readonly number[]): number {
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

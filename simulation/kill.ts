/**
 * `npm run simulate -- --kills 100 --plans 2000 --orders 500 --seed N`: kills the service, its database and the acquirer
 * while plans bill and orders are paid, and proves that every amount moved exactly once. Exits 1 when something does not
 * hold; the directory with everything in it is kept then.
 */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { replayCommand, type Report, simulate } from './simulate.ts'

const MAX_SEED = 0x7fff_ffff
/** A start, a lease of what was killed, and the load in between; ten times what is usual on two cores. */
const MAX_MS_PER_KILL = 60_000
const MAX_MS_ELSEWHERE = 600_000
const MAX_FINDINGS_SHOWN = 50

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    plans: { type: 'string', default: '2000' },
    orders: { type: 'string', default: '500' },
    months: { type: 'string', default: '6' },
    seed: { type: 'string' },
  },
})
const size = {
  kills: wholeNumber('kills', values.kills, 0),
  plans: wholeNumber('plans', values.plans, 1),
  orders: wholeNumber('orders', values.orders, 0),
  months: wholeNumber('months', values.months, 1),
  seed: values.seed === undefined ? randomInt(MAX_SEED) : wholeNumber('seed', values.seed, 0),
}

// So that whoever gives up waiting leaves no process behind.
const interruption = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => interruption.abort(new Error(`interrupted by ${signal}`)))
}

console.log(`seed ${size.seed}`)
const report = await simulate({
  ...size,
  signal: interruption.signal,
  longestMs: MAX_MS_ELSEWHERE + size.kills * MAX_MS_PER_KILL,
  tell: (message) => console.log(message),
})
print(report)
if (report.findings.length > 0) process.exitCode = 1

function wholeNumber(name: string, text: string, least: number): number {
  if (/^\d{1,10}$/.test(text) && Number(text) >= least) return Number(text)
  throw new Error(`--${name} must be a whole number from ${least}.`)
}

function print({ struck, findings, merchant, ...rest }: Report): void {
  const byTarget = Map.groupBy(struck, ({ kill }) => kill.target)
  const targets = [...byTarget].map(([target, kills]) => `${target} ${kills.length}`).join(', ')
  console.log(`${struck.length} kills: ${targets}`)
  console.log(
    `${struck.filter((kill) => kill.wasAdvancing).length} of them during clock/advance, ` +
      `${struck.filter((kill) => !kill.wasReady).length} before the service was ready again, ` +
      `${struck.filter((kill) => kill.hitDatabase).length} of the database`,
  )
  console.log(`${rest.bookings} bookings, ${rest.orders} orders, ${rest.seconds} s`)
  for (const [why, times] of [...(merchant?.again ?? [])].toSorted((a, b) => b[1] - a[1])) {
    console.log(`sent again after ${why}: ${times}`)
  }
  console.log(`answered 504 first and for good later: ${merchant?.resolvedLater ?? 0}`)
  for (const error of merchant?.serverErrors.slice(0, 10) ?? []) console.log(`a 500: ${error}`)
  if (findings.length === 0) return console.log('Every amount moved once. Nothing is unresolved.')
  for (const finding of findings.slice(0, MAX_FINDINGS_SHOWN)) console.log(`FOUND: ${finding}`)
  console.log(`${findings.length} findings. Everything is kept in ${rest.kept}. To replay:`)
  console.log(`  ${replayCommand(size)}`)
}

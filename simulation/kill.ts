/** The program behind `npm run simulate`. See README.md. Exits 1 when a guarantee is broken. */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { ACQUIRERS } from './acquirers/index.ts'
import { MAX_SEED, oneOf, printFindings, untilInterrupted, wholeNumber } from './command.ts'
import { drawLoad, LOAD_ROUND_MS } from './system/plan/draw-load.ts'
import { SUPERVISORS, type SystemOptions } from './system/plan/plan.ts'
import { simulateSystem, type SystemReport } from './system/system.ts'

/** A restart, a lease of the killed process and the work in between: ten times the usual duration on two cores. */
const MAX_MS_PER_KILL = 60_000
const MAX_MS_WITHOUT_KILLS = 600_000

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
    aim: { type: 'string', default: 'spread' },
    'database-url': { type: 'string' },
    'crash-database': { type: 'string' },
  },
})
const { 'database-url': url, 'crash-database': crash } = values
const failovers = wholeNumber('failovers', values.failovers, 0)
if (url !== undefined && failovers > 0)
  throw new Error('--failovers needs databases of its own, without --database-url.')
if (crash !== undefined && url === undefined) throw new Error('--crash-database needs --database-url.')
const layout = oneOf('processes', values.processes, ['start', 'api,worker'])
const load = {
  failovers,
  kills: wholeNumber('kills', values.kills ?? (failovers === 0 ? '100' : '0'), 0),
  plans: wholeNumber('plans', values.plans, 1),
  orders: wholeNumber('orders', values.orders, 0),
  months: wholeNumber('months', values.months, 1),
  isAimed: oneOf('aim', values.aim, ['spread', 'paid-first']) === 'paid-first',
}
const options: SystemOptions = {
  seed: values.seed === undefined ? randomInt(MAX_SEED) : wholeNumber('seed', values.seed, 0),
  topology: failovers > 0 ? 'pair' : layout === 'start' ? 'all-in-one' : 'separate',
  acquirers: [oneOf('acquirer', values.acquirer, ACQUIRERS)],
  roundMs: LOAD_ROUND_MS,
  orders: load.orders,
  supervisor: oneOf('supervisor', values.supervisor, SUPERVISORS),
  ...(url !== undefined && { database: { url, ...(crash !== undefined && { crash }) } }),
}
console.log(`seed ${options.seed}`)
const report = await simulateSystem({
  options,
  rounds: drawLoad(options, load),
  timeoutMs: MAX_MS_WITHOUT_KILLS + (load.kills + failovers) * MAX_MS_PER_KILL,
  signal: untilInterrupted(),
  log: (message) => console.log(message),
})
print(report)
printFindings(report)
// A receiver of a business that was not opened in full may still listen.
process.exit()

function print({ kills, orders, retries, seconds }: SystemReport): void {
  const byKind = Map.groupBy(kills, ({ kill }) => kill.kind)
  const counts = [...byKind].map(([kind, ofKind]) => `${kind} ${ofKind.length}`).join(', ')
  console.log(`${kills.length} kills: ${counts}`)
  console.log(
    `${kills.filter(({ wasUnderLoad }) => wasUnderLoad).length} under load, ` +
      `${kills.filter(({ wasAdvancing }) => wasAdvancing).length} during clock/advance, ` +
      `${kills.filter(({ wasReady }) => !wasReady).length} before the service was ready again, ` +
      `${kills.filter(({ hitDatabase }) => hitDatabase).length} hit a running database, ` +
      `${kills.filter(({ parted }) => parted.includes('reissue')).length} during a correction, ` +
      `${kills.filter(({ parted }) => parted.includes('paid_first')).length} during a change that is charged first, ` +
      `${kills.filter(({ wasCharged }) => wasCharged).length} between its charge and the change`,
  )
  printFailovers(kills)
  console.log(`${load.plans} plans, ${orders} orders, ${seconds} s`)
  for (const [reason, times] of [...retries].toSorted((a, b) => b[1] - a[1])) {
    console.log(`retried after ${reason}: ${times}`)
  }
}

function printFailovers(kills: SystemReport['kills']): void {
  for (const hangs of [false, true]) {
    const times = kills
      .flatMap(({ kill, writesAfterMs }) =>
        writesAfterMs !== undefined && kill.failover?.hangs === hangs ? [Math.round(writesAfterMs)] : [],
      )
      .toSorted((a, b) => a - b)
    if (times.length === 0) continue
    console.log(
      `${times.length} failovers of a primary that ${hangs ? 'fell silent' : 'was killed'}: time to write again ` +
        `${times[Math.floor(times.length / 2)]} ms (median), ${times.at(-1)} ms (worst)`,
    )
  }
}

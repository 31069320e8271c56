/** The program behind `npm run simulate:system`. See ../README.md. Exits 1 when a guarantee is broken. */
import { randomInt } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { ACQUIRERS } from '../acquirers/index.ts'
import { MAX_SEED, oneOf, printFindings, untilInterrupted, wholeNumber } from '../command.ts'
import { partsOf, without } from './plan/narrow.ts'
import { drawRound, type Round, type SystemOptions, type SystemPlan } from './plan/plan.ts'
import { TOPOLOGIES } from './plan/topology.ts'
import { shrink } from './plan/shrink.ts'
import { simulateSystem, type SystemReport } from './system.ts'

const MAX_MS_PER_ROUND = 300_000
const TRIES_TO_FAIL = 2
const MS_PER_MINUTE = 60_000

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '3' },
    minutes: { type: 'string' },
    'round-seconds': { type: 'string', default: '20' },
    orders: { type: 'string', default: '25' },
    topology: { type: 'string', default: 'separate' },
    acquirers: { type: 'string', default: ACQUIRERS.join(',') },
    replay: { type: 'string' },
    shrink: { type: 'string' },
    only: { type: 'string' },
    without: { type: 'string' },
  },
})

const interruption = untilInterrupted()

if (values.shrink !== undefined) {
  await shrinkFile(values.shrink)
} else if (values.replay !== undefined) {
  const plan = await readPlan(values.replay)
  await run(plan.options, plan.rounds, plan.rounds.length * MAX_MS_PER_ROUND)
} else {
  const first = values.seed === undefined ? randomInt(MAX_SEED) : wholeNumber('seed', values.seed, 0)
  const seeds = wholeNumber('seeds', values.seeds, 1)
  for (let index = 0; index < seeds && !interruption.aborted; index++) await runSeed(first + index)
}

// A receiver of a business that was not opened in full may still listen.
process.exit()

async function runSeed(seed: number): Promise<void> {
  const options: SystemOptions = {
    seed,
    topology: oneOf('topology', values.topology, TOPOLOGIES),
    acquirers: values.acquirers.split(',').map((name) => oneOf('acquirers', name, ACQUIRERS)),
    roundMs: wholeNumber('round-seconds', values['round-seconds'], 1) * 1_000,
    orders: wholeNumber('orders', values.orders, 1),
  }
  if (values.minutes === undefined) {
    const count = wholeNumber('rounds', values.rounds, 1)
    const rounds = Array.from({ length: count }, (_, round) => drawRound(options, round))
    return run(options, rounds, (count + 1) * MAX_MS_PER_ROUND)
  }
  const ms = wholeNumber('minutes', values.minutes, 1) * MS_PER_MINUTE
  return run(options, roundsUntil(options, performance.now() + ms), ms + 2 * MAX_MS_PER_ROUND)
}

function* roundsUntil(options: SystemOptions, endMs: number): Generator<Round> {
  for (let round = 0; performance.now() < endMs; round++) yield drawRound(options, round)
}

async function run(options: SystemOptions, drawn: Iterable<Round>, timeoutMs: number): Promise<void> {
  const rounds = narrowed(drawn)
  console.log(`seed ${options.seed}, ${options.topology}, ${options.acquirers.join(', ')}`)
  const report = await simulateSystem({
    options,
    rounds,
    timeoutMs,
    signal: interruption,
    log: (message) => console.log(message),
  })
  print(report)
}

async function readPlan(file: string): Promise<SystemPlan> {
  return JSON.parse(await readFile(file, 'utf8')) as SystemPlan
}

/**
 * A failure that depends on the timing of the machine does not come each time, so a smaller plan has several tries
 * to fail.
 */
async function shrinkFile(file: string): Promise<void> {
  const smaller = await shrink(await readPlan(file), async (plan) => {
    for (let tries = 0; tries < TRIES_TO_FAIL && !interruption.aborted; tries++) {
      const report = await simulateSystem({ ...runOptions(plan.rounds.length), ...plan })
      if (report.keptDirectory !== undefined) await rm(report.keptDirectory, { recursive: true })
      if (report.findings.length > 0 && !interruption.aborted) return true
    }
    return false
  })
  const name = `${file}.small`
  await writeFile(name, `${JSON.stringify(smaller, null, 1)}\n`)
  console.log(`${partsOf(smaller).join(', ')} still fail: npm run simulate:system -- --replay ${name}`)
}

function runOptions(rounds: number) {
  return {
    timeoutMs: (rounds + 1) * MAX_MS_PER_ROUND,
    signal: interruption,
    log: (message: string) => console.log(message),
  }
}

function* narrowed(rounds: Iterable<Round>): Generator<Round> {
  const only = values.only?.split(',')
  const leftOut = values.without?.split(',') ?? []
  const isBusiness = (part: string) => part.startsWith('business ')
  const isChosen = (part: string) =>
    only === undefined || only.includes(part) || (isBusiness(part) && !only.some(isBusiness))
  for (const round of rounds) yield without(round, (part) => leftOut.includes(part) || !isChosen(part))
}

function print(report: SystemReport): void {
  const { faults, orders, seconds, plan } = report
  console.log(`${plan.rounds.length} rounds, ${orders} orders, ${seconds} s`)
  console.log([...faults].map(([kind, times]) => `${kind} ${times}`).join(', '))
  printFindings(report)
}

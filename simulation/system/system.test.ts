import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { drawPlan, type SystemOptions } from './plan/plan.ts'
import { TOPOLOGIES } from './plan/topology.ts'
import { simulateSystem } from './system.ts'

/** A run takes about a minute and a half. */
const TIMEOUT_MS = 480_000
/** The second round continues orders of the first. */
const ROUNDS = 2
/** Both are chosen by chance, so that the run of all tests stays short. */
const topology = TOPOLOGIES[randomInt(TOPOLOGIES.length)] ?? 'pair'
const twin = randomInt(2) === 0 ? 'stripe' : 'adyen'
const SIZE = { roundMs: 10_000, orders: 6, acquirers: ['simulator', twin] } as const

// Proves reference/payments#two-steps, reference/payments#unknown-outcomes, reference/payments#reservations,
// reference/conventions#idempotency, reference/recurring#billing-dates, reference/recurring#attempts,
// reference/events#ordering, reference/sandbox#advancing, reference/operations#starting, reference/operations#verify,
// reference/operations#stopping, reference/acquirers#outcomes, reference/acquirers#outages.
test(
  `the books of every merchant are as modelled, and every amount moves once, while processes, database, acquirers, receivers and chain fail (${topology})`,
  { timeout: TIMEOUT_MS + 60_000 },
  async () => {
    const seed = Number(process.env['SIMULATION_SEED'] || randomInt(0x7fff_ffff))
    const options: SystemOptions = { ...SIZE, seed, topology }
    const replay = `npm run simulate:system -- --topology ${topology} --acquirers ${SIZE.acquirers.join(',')} --rounds ${ROUNDS} --round-seconds ${SIZE.roundMs / 1_000} --orders ${SIZE.orders} --seed ${seed}`
    console.log(`to replay: ${replay}`)
    const report = await simulateSystem({
      options,
      rounds: drawPlan(options, ROUNDS).rounds,
      timeoutMs: TIMEOUT_MS,
      log: (message) => console.log(message),
    })
    // Printed at once, because a replay may not repeat them and an interrupted run of tests prints no failure.
    for (const finding of report.findings) console.error(finding)
    expect(report.findings, `files are in ${report.keptDirectory}; ${replay}`).toEqual([])
    expect(report.plan.rounds).toHaveLength(ROUNDS)
    expect(report.orders).toBe(SIZE.acquirers.length * SIZE.orders * ROUNDS)
    // Without kills nothing is interrupted. Failing receivers interrupt nothing.
    const kills = [...report.faults].filter(([kind]) => !kind.startsWith('receiver'))
    expect(sum(kills)).toBeGreaterThan(2)
    const databaseKills = kills.filter(([kind]) => kind.startsWith('database'))
    if (topology === 'pair') expect(sum(databaseKills)).toBe(ROUNDS)
  },
)

function sum(counts: readonly (readonly [string, number])[]): number {
  return counts.reduce((total, [, count]) => total + count, 0)
}

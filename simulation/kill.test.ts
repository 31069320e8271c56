import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { replayCommand, simulate } from './simulate.ts'

const SIZE = { acquirer: 'simulator', kills: 10, plans: 200, orders: 50, months: 3 } as const
/** A run usually takes a minute. Each kill during a charge costs a lease: ten of them take five minutes on a busy machine. */
const TIMEOUT_MS = 480_000

// Proves reference/payments#two-steps, reference/payments#unknown-outcomes, reference/payments#reservations,
// reference/conventions#idempotency, reference/recurring#billing-dates, reference/recurring#attempts,
// reference/events#ordering, reference/sandbox#advancing, reference/operations#starting, reference/operations#verify,
// reference/operations#stopping.
test(
  'every amount moves exactly once while 200 plans bill, 50 orders are paid, and ten kills hit the service, its database and the acquirer',
  { timeout: TIMEOUT_MS + 60_000 },
  async () => {
    const seed = Number(process.env['SIMULATION_SEED'] || randomInt(0x7fff_ffff))
    console.log(`to replay: ${replayCommand({ ...SIZE, seed })}`)
    const report = await simulate({
      ...SIZE,
      seed,
      timeoutMs: TIMEOUT_MS,
      log: (message) => console.log(message),
    })
    expect(
      report.findings,
      `files are in ${report.keptDirectory}; ${replayCommand({ ...SIZE, seed })}`,
    ).toEqual([])
    expect(report.kills).toHaveLength(SIZE.kills)
    expect(report.kills.some((kill) => kill.wasAdvancing)).toBe(true)
    expect(report.kills.some((kill) => kill.hitDatabase)).toBe(true)
    // With few bookings, the kills would have interrupted nothing.
    expect(report.bookings).toBeGreaterThan(SIZE.plans * 2)
  },
)

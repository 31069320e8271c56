import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { replayCommand, simulate } from './simulate.ts'

const RUNS = [
  {
    acquirer: 'simulator',
    kills: 10,
    failovers: 0,
    supervisor: 'simulation',
    plans: 200,
    orders: 50,
    months: 3,
  },
  { acquirer: 'stripe', kills: 6, failovers: 0, supervisor: 'simulation', plans: 60, orders: 40, months: 2 },
  { acquirer: 'adyen', kills: 6, failovers: 0, supervisor: 'simulation', plans: 60, orders: 40, months: 2 },
] as const
/** A run usually takes a minute. Each kill during a charge costs a lease: ten of them take five minutes on a busy machine. */
const TIMEOUT_MS = 480_000

// Proves reference/payments#two-steps, reference/payments#unknown-outcomes, reference/payments#reservations,
// reference/conventions#idempotency, reference/recurring#billing-dates, reference/recurring#attempts,
// reference/events#ordering, reference/sandbox#advancing, reference/operations#starting, reference/operations#verify,
// reference/operations#stopping, reference/acquirers#outcomes, reference/acquirers#outages.
test.each(RUNS)(
  'every amount moves exactly once at the $acquirer while plans bill, orders are paid, and kills hit the service, its database and the acquirer',
  { timeout: TIMEOUT_MS + 60_000 },
  async (size) => {
    const seed = Number(process.env['SIMULATION_SEED'] || randomInt(0x7fff_ffff))
    const replay = replayCommand({ ...size, seed })
    console.log(`to replay: ${replay}`)
    const report = await simulate({
      ...size,
      seed,
      timeoutMs: TIMEOUT_MS,
      log: (message) => console.log(message),
    })
    expect(report.findings, `files are in ${report.keptDirectory}; ${replay}`).toEqual([])
    expect(report.kills).toHaveLength(size.kills)
    expect(report.kills.some((kill) => kill.wasAdvancing)).toBe(true)
    expect(report.kills.some((kill) => kill.hitDatabase)).toBe(true)
    // With few bookings, the kills would have interrupted nothing.
    expect(report.bookings).toBeGreaterThan(size.plans * (size.months - 1))
  },
)

import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { replayCommand, simulate } from './simulate.ts'

const SIZE = { kills: 10, plans: 200, orders: 50, months: 3 } as const
/** A minute is usual; a kill in the middle of a charge costs a lease of the service, ten of them on a busy machine five minutes. */
const MAX_MS = 480_000

test(
  'ten kills of the service, its database and the acquirer while 200 plans bill and 50 orders are paid: every amount moves once',
  { timeout: MAX_MS + 60_000 },
  async () => {
    const seed = Number(process.env['SIMULATION_SEED'] || randomInt(0x7fff_ffff))
    console.log(`to replay: ${replayCommand({ ...SIZE, seed })}`)
    const report = await simulate({
      ...SIZE,
      seed,
      longestMs: MAX_MS,
      tell: (message) => console.log(message),
    })
    expect(report.findings, `kept in ${report.kept}; ${replayCommand({ ...SIZE, seed })}`).toEqual([])
    expect(report.struck).toHaveLength(SIZE.kills)
    expect(report.struck.some((kill) => kill.wasAdvancing)).toBe(true)
    expect(report.struck.some((kill) => kill.hitDatabase)).toBe(true)
    // Otherwise nothing was at stake.
    expect(report.bookings).toBeGreaterThan(SIZE.plans * 2)
  },
)

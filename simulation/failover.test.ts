import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { replayCommand, simulate } from './simulate.ts'

const RUNS = [
  { supervisor: 'simulation', failovers: 5 },
  { supervisor: 'pg_auto_failover', failovers: 3 },
] as const
const TIMEOUT_MS = 600_000

// Proves reference/operations#several-hosts.
test.skipIf(process.env['TEST_FAILOVER'] !== '1').each(RUNS)(
  'every amount moves exactly once and writes go on within 15 s when $supervisor promotes the replica under load',
  { timeout: TIMEOUT_MS + 60_000 },
  async (run) => {
    const seed = randomInt(0x7fff_ffff)
    const size = {
      ...run,
      acquirer: 'simulator',
      layout: 'start',
      kills: 0,
      plans: 30,
      orders: 100,
      months: 2,
    } as const
    const report = await simulate({
      ...size,
      seed,
      timeoutMs: TIMEOUT_MS,
      log: (message) => console.log(message),
    })
    expect(
      report.findings,
      `files are in ${report.keptDirectory}; ${replayCommand({ ...size, seed })}`,
    ).toEqual([])
    expect(report.failovers).toHaveLength(run.failovers)
    expect(report.failovers.every(({ wasUnderLoad }) => wasUnderLoad)).toBe(true)
  },
)

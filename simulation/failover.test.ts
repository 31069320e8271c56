import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { drawLoad, LOAD_ROUND_MS } from './system/plan/draw-load.ts'
import type { SystemOptions } from './system/plan/plan.ts'
import { simulateSystem } from './system/system.ts'

const RUNS = [
  { supervisor: 'simulation', failovers: 5 },
  { supervisor: 'pg_auto_failover', failovers: 3 },
] as const
const TIMEOUT_MS = 600_000

// Proves reference/operations#several-hosts.
test.skipIf(process.env['TEST_FAILOVER'] !== '1').each(RUNS)(
  'every amount moves exactly once and writes go on within 15 s when $supervisor promotes the replica under load',
  { timeout: TIMEOUT_MS + 60_000 },
  async ({ supervisor, failovers }) => {
    const load = { kills: 0, failovers, plans: 30, orders: 100, months: 2 }
    const options: SystemOptions = {
      seed: randomInt(0x7fff_ffff),
      topology: 'pair',
      acquirers: ['simulator'],
      roundMs: LOAD_ROUND_MS,
      orders: load.orders,
      supervisor,
    }
    const report = await simulateSystem({
      options,
      rounds: drawLoad(options, load),
      timeoutMs: TIMEOUT_MS,
      log: (message) => console.log(message),
    })
    expect(report.findings, `seed ${options.seed}, files are in ${report.keptDirectory}`).toEqual([])
    expect(report.kills).toHaveLength(failovers)
    expect(report.kills.every(({ wasUnderLoad }) => wasUnderLoad)).toBe(true)
  },
)

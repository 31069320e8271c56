/** The time from the command until the service is ready, with an empty and with an existing data directory. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startService } from '../scenarios/harness/service.ts'
import { median, SLACK } from './support/report.ts'

const MAX_SECONDS_EMPTY = 10
const MAX_SECONDS_EXISTING = 3
const ROUNDS = 3

export async function benchStart(): Promise<boolean> {
  const dataDir = await mkdtemp(join(tmpdir(), 'quittance-bench-'))
  try {
    const empty = await secondsToReady(dataDir)
    const existing: number[] = []
    for (let round = 0; round < ROUNDS; round++) existing.push(await secondsToReady(dataDir))
    console.log(`ready with an empty data directory after ${empty.toFixed(1)} s, aim ${MAX_SECONDS_EMPTY}`)
    console.log(
      `ready with an existing data directory after ${median(existing).toFixed(1)} s, aim ${MAX_SECONDS_EXISTING}`,
    )
    return empty <= MAX_SECONDS_EMPTY * (1 + SLACK) && median(existing) <= MAX_SECONDS_EXISTING * (1 + SLACK)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function secondsToReady(dataDir: string): Promise<number> {
  const startedAtMs = performance.now()
  const service = await startService({ dataDir })
  const seconds = (performance.now() - startedAtMs) / 1_000
  await service.stop()
  return seconds
}

if (import.meta.main) await benchStart()

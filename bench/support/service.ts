import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runningPostgresUrl } from '#platform/embedded-postgres'
import { Client } from '../../scenarios/harness/client.ts'
import {
  collectOutput,
  freePort,
  spawnProgram,
  startService,
  stopProcess,
  waitUntilReady,
} from '../../scenarios/harness/service.ts'

/** The service as `npm start` runs it, its simulator as a process of its own. */
export interface BenchService {
  readonly client: Client
  readonly postgresUrl: string
  readonly simulatorUrl: string
  /** The most memory that the service's process has had, in megabytes. */
  peakMemoryMb(): Promise<number>
  stop(): Promise<void>
}

export async function startBenchService(): Promise<BenchService> {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-bench-'))
  const simulatorPort = await freePort()
  const simulatorUrl = `http://127.0.0.1:${simulatorPort}`
  const simulator = spawnProgram('src/simulator.ts', [], {
    SIMULATOR_PORT: String(simulatorPort),
    SIMULATOR_DIR: join(folder, 'simulator'),
  })
  await waitUntilReady(`${simulatorUrl}/health`, simulator, collectOutput(simulator))
  const dataDir = join(folder, 'data')
  const service = await startService({ dataDir, env: { SIMULATOR_URL: simulatorUrl, RATE_LIMIT: '0' } })
  const postgresUrl = await runningPostgresUrl(dataDir)
  if (postgresUrl === undefined) throw new Error('the service runs without its database')
  return {
    client: new Client(service.sandbox),
    postgresUrl,
    simulatorUrl,
    peakMemoryMb: async () => {
      const status = await readFile(`/proc/${service.process.pid}/status`, 'utf8')
      return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024
    },
    stop: async () => {
      await service.stop()
      await stopProcess(simulator, 'SIGTERM')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

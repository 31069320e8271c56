import type { ChildProcess } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runningPostgresUrl } from '#platform/embedded-postgres/embedded-postgres'
import { freePort } from '#platform/embedded-postgres/free-port'
import { Client } from '../../scenarios/harness/client.ts'
import {
  collectOutput,
  spawnProgram,
  startService,
  stopProcess,
  waitUntilReady,
} from '../../scenarios/harness/service.ts'
import { type CpuSeconds, cpuSeconds, postmasterPid } from './cpu.ts'

export interface BenchService {
  readonly client: Client
  readonly process: ChildProcess
  readonly dataDir: string
  readonly postgresUrl: string
  readonly simulatorUrl: string
  readonly env: Record<string, string>
  /** The peak memory of the service process, in megabytes, since its start or the last reset. */
  peakMemoryMb(): Promise<number>
  resetPeakMemory(): Promise<void>
  cpu(): Promise<CpuSeconds>
  stop(): Promise<void>
}

/** @param keptFolder is made if it does not exist, used again if it does, and not removed by `stop` */
export async function startBenchService(
  settings: Record<string, string> = {},
  keptFolder?: string,
): Promise<BenchService> {
  const folder = keptFolder ?? (await mkdtemp(join(tmpdir(), 'quittance-bench-')))
  await mkdir(folder, { recursive: true })
  const simulatorPort = await freePort()
  const simulatorUrl = `http://127.0.0.1:${simulatorPort}`
  const simulator = spawnProgram('src/simulator.ts', [], {
    SIMULATOR_PORT: String(simulatorPort),
    SIMULATOR_DIR: join(folder, 'simulator'),
  })
  await waitUntilReady(`${simulatorUrl}/health`, simulator, collectOutput(simulator))
  const dataDir = join(folder, 'data')
  // For example `--cpu-prof --cpu-prof-dir=/tmp/profiles`.
  const nodeOptions = process.env['BENCH_NODE_OPTIONS']
  const env = {
    SIMULATOR_URL: simulatorUrl,
    RATE_LIMIT: '0',
    ALLOW_PRIVATE_WEBHOOKS: '1',
    ...settings,
    ...(nodeOptions !== undefined && { NODE_OPTIONS: nodeOptions }),
  }
  const service = await startService({ dataDir, env }).catch(async (error: unknown) => {
    await stopProcess(simulator, 'SIGTERM')
    throw error
  })
  const external = settings['DATABASE_URL']
  const postgresUrl = external ?? (await runningPostgresUrl(dataDir))
  if (postgresUrl === undefined) throw new Error('the database of the service does not run')
  const pid = service.process.pid ?? 0
  const postgres = external === undefined ? await postmasterPid(dataDir) : undefined
  const processes = { service: pid, postgres, simulator: simulator.pid ?? 0 }
  return {
    client: new Client(service.sandbox),
    process: service.process,
    dataDir,
    postgresUrl,
    simulatorUrl,
    env: service.env,
    peakMemoryMb: async () => {
      const status = await readFile(`/proc/${pid}/status`, 'utf8')
      return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024
    },
    // See proc_pid_clear_refs(5).
    resetPeakMemory: () => writeFile(`/proc/${pid}/clear_refs`, '5'),
    cpu: () => cpuSeconds(processes),
    stop: async () => {
      await service.stop()
      await stopProcess(simulator, 'SIGTERM')
      if (keptFolder === undefined) await rm(folder, { recursive: true, force: true })
    },
  }
}

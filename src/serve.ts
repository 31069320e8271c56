import { flushCompileCache } from 'node:module'
import { realNowMs } from '#kernel/clock'
import type { Config } from '#platform/config'
import { createLog, type Log } from '#platform/observability/log'
import type { Composition } from './compose.ts'
import { ensureSandbox } from './sandbox-file.ts'
import { type Roles, type RunningService, startService } from './service.ts'

const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

export async function serve(config: Config, roles: Roles): Promise<void> {
  const startedAtMs = realNowMs()
  const log = createLog({ level: config.logLevel })
  const stopRequested = Promise.withResolvers<string>()
  for (const signal of STOP_SIGNALS) process.on(signal, () => stopRequested.resolve(signal))
  const prepare = async ({ businesses }: Composition, url: string) => {
    if (roles.worker) await ensureSandbox(config.dataDir, businesses, url)
  }
  const service = await startService(config, log, roles, prepare, stopRequested.promise)
  log.info({ url: service.url, ready_ms: realNowMs() - startedAtMs }, 'ready')
  if (roles.api) {
    offerSetup(service.composition).catch((error: unknown) =>
      log.warn({ err: error }, 'the link for the first user could not be made'),
    )
  }
  // Node writes the cache at exit, which a killed process never reaches.
  flushCompileCache()
  const reason = await Promise.race([stopRequested.promise, failureOf(service, log)])
  log.info({ reason }, 'stopping')
  await service.stop()
}

/**
 * Prints the link to standard error, apart from the log. Whoever has it becomes the operator, and containers and systemd collect
 * standard error too (docs/operating/README.md#the-setup-link).
 */
async function offerSetup({ users }: Composition): Promise<void> {
  const link = await users.setupLink()
  if (link === undefined) return
  process.stderr.write(`Nobody can sign in yet. Create the first user within 24 hours: ${link}\n`)
}

async function failureOf(service: RunningService, log: Log): Promise<string> {
  const reason = await service.failed
  log.error({ reason }, 'the service failed')
  process.exitCode = 1
  return reason
}

import { flushCompileCache } from 'node:module'
import { Command } from 'commander'
import { realNowMs } from '#kernel/clock'
import { OperatorError } from '#kernel/operator-error'
import { readConfig, requireShared } from '#platform/config'
import { createLog, type Log } from '#platform/observability/log'
import { codeOf } from '#platform/thrown'
import { isUnreachable } from '#platform/postgres/database-errors'
import { versionWithMigration } from '#platform/version'
import { addOperatorCommands } from './commands/commands.ts'
import type { Composition } from './compose.ts'
import { ensureSandbox } from './sandbox-file.ts'
import type { Roles, RunningService } from './service.ts'

/** System errors of files and directories that cannot be used. */
const UNUSABLE_FILE = /^E(?:ACCES|PERM|ROFS|NOSPC|DQUOT|EXIST|NOTDIR|ISDIR|LOOP|NAMETOOLONG)$/

async function main(): Promise<void> {
  const program = new Command('quittance')
    .description('An open-source payments platform.')
    .version(versionWithMigration(), '--version', 'print the version and the newest migration')
  program
    .command('start')
    .description('run everything in one process, on an embedded PostgreSQL unless DATABASE_URL is set')
    .action(() => serve({ api: true, worker: true }))
  program
    .command('api')
    .description('serve the HTTP API only; workers share its DATABASE_URL')
    .action(() => serve({ api: true, worker: false }))
  program
    .command('worker')
    .description('run jobs only; api processes share its DATABASE_URL')
    .action(() => serve({ api: false, worker: true }))
  addOperatorCommands(program)
  await program.parseAsync()
}

/** SIGHUP arrives when the terminal is closed. */
const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

async function serve(roles: Roles): Promise<void> {
  const { startService } = await import('./service.ts')
  const startedAtMs = realNowMs()
  const config = readConfig(process.env)
  if (!roles.api || !roles.worker) requireShared(config)
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

/** Goes to the terminal and not to the log, because whoever has the link becomes the operator. */
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

/** A message for the operator; undefined for a defect, which is reported with its stack. */
function operatorMessage(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (error instanceof OperatorError) return error.message
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  if (!(first instanceof Error)) return undefined
  if (UNUSABLE_FILE.test(codeOf(first) ?? '')) {
    return `${first.message}. Quittance needs a writable DATA_DIR on a disk with free space.`
  }
  return isUnreachable(first) ? `Cannot reach the database: ${first.message}.` : undefined
}

try {
  await main()
} catch (error) {
  const message = operatorMessage(error)
  if (message === undefined) throw error
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
}

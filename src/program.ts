import { flushCompileCache } from 'node:module'
import { Command } from 'commander'
import { realNowMs } from '#kernel/clock'
import { OperatorError } from '#kernel/operator-error'
import { readConfig, requireShared } from '#platform/config'
import { createLog, type Log } from '#platform/observability/log'
import { codeOf } from '#platform/thrown'
import { isUnreachable } from '#platform/postgres/unreachable'
import { addOperatorCommands } from './commands/commands.ts'
import type { Composition } from './compose.ts'
import { ensureSandbox } from './sandbox-file.ts'
import { type Roles, type RunningService, startService } from './service.ts'

/** System errors of files and directories that are not as they must be. */
const UNUSABLE_FILE = /^E(?:ACCES|PERM|ROFS|NOSPC|DQUOT|EXIST|NOTDIR|ISDIR|LOOP|NAMETOOLONG)$/

async function main(): Promise<void> {
  const program = new Command('quittance').description('An open-source payments platform.')
  program
    .command('start')
    .description('everything in one command, on an embedded PostgreSQL unless DATABASE_URL is set')
    .action(() => serve({ api: true, worker: true }))
  program
    .command('api')
    .description('the HTTP interface alone, beside workers on one DATABASE_URL')
    .action(() => serve({ api: true, worker: false }))
  program
    .command('worker')
    .description('due work alone, beside api processes on one DATABASE_URL')
    .action(() => serve({ api: false, worker: true }))
  addOperatorCommands(program)
  await program.parseAsync()
}

/** What ends the service; SIGHUP comes when the terminal that it was started in is closed. */
const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** Runs until it is told to stop, then drains. */
async function serve(roles: Roles): Promise<void> {
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
  // Node would write it at the end, which a process that is killed does not see.
  flushCompileCache()
  const reason = await Promise.race([stopRequested.promise, failureOf(service, log)])
  log.info({ reason }, 'stopping')
  await service.stop()
}

async function failureOf(service: RunningService, log: Log): Promise<string> {
  const reason = await service.failed
  log.error({ reason }, 'cannot go on')
  process.exitCode = 1
  return reason
}

/** What the operator is told; undefined when it is a defect of ours, which is told with its stack. */
function sentenceOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (error instanceof OperatorError) return error.message
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  if (!(first instanceof Error)) return undefined
  if (UNUSABLE_FILE.test(codeOf(first) ?? '') || isLinkToNowhere(first)) {
    return `${first.message}. Quittance needs a DATA_DIR that it may write, on a disk with space left.`
  }
  return isUnreachable(first) ? `Cannot reach the database: ${first.message}.` : undefined
}

/** Such as to a disk that is not mounted: making a directory with all above it cannot miss one otherwise. */
function isLinkToNowhere(error: Error): boolean {
  return codeOf(error) === 'ENOENT' && 'syscall' in error && error.syscall === 'mkdir'
}

try {
  await main()
} catch (error) {
  const sentence = sentenceOf(error)
  if (sentence === undefined) throw error
  process.stderr.write(`${sentence}\n`)
  process.exitCode = 1
}

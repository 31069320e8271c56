import { Command, CommanderError } from 'commander'
import { OperatorError } from '#kernel/operator-error'
import { isUnreachable } from '#platform/postgres/database-errors'
import { codeOf } from '#platform/thrown'
import { versionWithMigration } from '#platform/version'
import type { Roles } from '../service.ts'
import { addOperatorCommands } from './commands.ts'
import type { RunCommand } from './operator-command.ts'
import type { Terminal } from './terminal.ts'

interface CommandLine {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly terminal: Terminal
  readonly askPassword: () => Promise<string | undefined>
  readonly serve: (roles: Roles) => Promise<void>
}

const COLUMNS_WITHOUT_TERMINAL = 80

export const CLIENT_COMMANDS: readonly string[] = [
  'login',
  'logout',
  'profiles',
  'listen',
  'trigger',
  'logs',
  'events',
  'search',
  'totals',
  'orders',
  'transactions',
  'customers',
  'plans',
  'products',
  'prices',
  'dunning-policies',
  'legal-entities',
  'tax-rates',
  'coupons',
  'promotion-codes',
  'invoices',
  'messages',
  'bank-statements',
  'bank-entries',
  'cards',
  'disputes',
  'reconciliations',
  'endpoints',
  'acquirer-accounts',
  'clock',
  'open',
  'portal',
  'request',
  'completion',
]

/**
 * Runs the command line `quittance <args>` and resolves to its exit code. Uses nothing of the process itself, so that tests can
 * run commands in their own. Throws only on a defect.
 */
export async function runCommandLine(
  args: readonly string[],
  { env, terminal, askPassword, serve }: CommandLine,
): Promise<number> {
  let exitCode = 0
  const program = newProgram(terminal)
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
  const run: RunCommand = async (command, load) => {
    const operatorCommand = await load()
    const { runOperatorCommand } = await import('./run-operator-command.ts')
    const isJson = command.opts<{ json?: boolean }>().json === true
    exitCode = await runOperatorCommand(operatorCommand, { name: nameOf(command), isJson, env, terminal })
  }
  addOperatorCommands(program, run, askPassword)
  try {
    await program.parseAsync(args, { from: 'user' })
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError) {
      const [word = ''] = args
      if (error.code === 'commander.unknownCommand' && CLIENT_COMMANDS.includes(word)) {
        terminal.stderr.write(`The client has this command. Type: npx quittance ${word}\n`)
      }
      return error.exitCode
    }
    const message = operatorMessage(error)
    if (message === undefined) throw error
    terminal.stderr.write(`${message}\n`)
    return 1
  }
}

function newProgram(terminal: Terminal): Command {
  return new Command('quittance')
    .description('An open-source payments platform.')
    .version(versionWithMigration(), '--version', 'print the version and the newest migration')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void terminal.stdout.write(text),
      writeErr: (text) => void terminal.stderr.write(text),
      getOutHelpWidth: () => terminal.stdout.columns ?? COLUMNS_WITHOUT_TERMINAL,
      getErrHelpWidth: () => terminal.stderr.columns ?? COLUMNS_WITHOUT_TERMINAL,
    })
}

function nameOf(command: Command): string {
  const { parent } = command
  return parent === null || parent.parent === null ? command.name() : `${nameOf(parent)} ${command.name()}`
}

const UNUSABLE_FILE = /^E(?:ACCES|PERM|ROFS|NOSPC|DQUOT|EXIST|NOTDIR|ISDIR|LOOP|NAMETOOLONG)$/

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

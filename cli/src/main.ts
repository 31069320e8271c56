import { Command, CommanderError } from 'commander'
import manifest from '../package.json' with { type: 'json' }
import { addClock } from './commands/clock.ts'
import { addCompletion } from './commands/completion.ts'
import { addEvents } from './commands/events.ts'
import { addListen } from './commands/listen.ts'
import { addLogin } from './commands/login.ts'
import { addLogs } from './commands/logs.ts'
import { addOpen } from './commands/open.ts'
import { addPortal } from './commands/portal.ts'
import { addRequest } from './commands/request.ts'
import { addResources } from './commands/resources.ts'
import { addSearch } from './commands/search.ts'
import { addTotals } from './commands/totals.ts'
import { addTrigger } from './commands/trigger.ts'
import { explain } from './explain.ts'
import { note } from './output.ts'

/** Commands of the operator, `npm run quittance --`, whose name somebody may type here. */
const OPERATOR_COMMANDS: readonly string[] = [
  'start',
  'api',
  'worker',
  'businesses',
  'keys',
  'users',
  'migrate',
  'verify',
  'erase-again',
  'recovered',
]

const program = new Command('quittance')
  .description(
    'Works with a Quittance service from any directory. Results are tables on a terminal and JSON in a pipe.',
  )
  .version(manifest.version)
  .option('--url <url>', 'address of the service (default: QUITTANCE_URL, then the profile)')
  .option('--api-key <key>', 'API key (default: QUITTANCE_API_KEY, then the profile)')
  .option('--profile <name>', 'the profile to use (default: the one of `profiles use`)')
  .showHelpAfterError('(quittance --help lists the commands)')
  .exitOverride()

addLogin(program)
addListen(program)
addTrigger(program)
addLogs(program)
addEvents(program)
addSearch(program)
addTotals(program)
addResources(program)
addClock(program)
addOpen(program)
addPortal(program)
addRequest(program)
addCompletion(program)

// `quittance orders list | head` closes the pipe early, which is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) {
    const [word = ''] = program.args
    if (error.code === 'commander.unknownCommand' && OPERATOR_COMMANDS.includes(word)) {
      note(`The service has this command. Type in its directory: npm run quittance -- ${word}`)
    }
    process.exitCode = error.exitCode
  } else {
    note(explain(error))
    process.exitCode = 1
  }
}

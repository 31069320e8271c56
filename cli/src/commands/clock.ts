import type { Command } from 'commander'
import { connect, requireTest } from '../connection.ts'
import { formatOf, print, printJson } from '../output.ts'
import { Problem } from '../problem.ts'

/** The response to an advance comes when everything that became due has happened. */
const ADVANCE_TIMEOUT_MS = 30 * 60_000

export function addClock(program: Command): void {
  const clock = program.command('clock').description('show or advance the clock of the sandbox')
  clock
    .command('show', { isDefault: true })
    .description('show the time of the sandbox')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }, command: Command) => {
      const connection = await connect(command)
      requireTest(connection, 'The clock')
      show(await connection.quittance.sandbox.getClock(), options)
    })
  clock
    .command('advance')
    .description('advance the clock; everything that becomes due on the way happens')
    .argument('[duration]', 'ISO 8601, such as P1M, P14D or PT1H')
    .option('--to <time>', 'advance to this time instead, such as 2027-01-31T00:00:00Z')
    .option('--json', 'print JSON')
    .action(async (by: string | undefined, options: { to?: string; json?: boolean }, command: Command) => {
      if ((by === undefined) === (options.to === undefined)) {
        throw new Problem('Give a duration, such as P1M, or --to with a time.')
      }
      const connection = await connect(command)
      requireTest(connection, 'The clock')
      const target = options.to === undefined ? { by } : { to: options.to }
      show(
        await connection.quittance.sandbox.advanceClock(target as { by: string }, {
          timeoutMs: ADVANCE_TIMEOUT_MS,
        }),
        options,
      )
    })
}

function show({ now }: { now: string }, options: { json?: boolean }): void {
  if (formatOf(options) === 'json') printJson({ now })
  else print(now)
}

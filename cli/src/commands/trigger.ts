import { Argument, type Command } from 'commander'
import { triggers } from 'quittance/triggers'
import { connect, requireTest } from '../connection.ts'
import { formatOf, note, print, printJson } from '../output.ts'

export function addTrigger(program: Command): void {
  program
    .command('trigger')
    .description('make an event happen in the sandbox; without a type, list the types')
    .addArgument(new Argument('[type]', 'such as order.paid').choices(Object.keys(triggers)))
    .option('--json', 'print JSON')
    .action(
      async (type: keyof typeof triggers | undefined, options: { json?: boolean }, command: Command) => {
        if (type === undefined) {
          for (const name of Object.keys(triggers)) print(name)
          return
        }
        const connection = await connect(command)
        requireTest(connection, 'A trigger')
        const made = await triggers[type](connection.quittance)
        if (formatOf(options) === 'json') return printJson({ type, ...made })
        note(`${type} was triggered:`)
        for (const [name, id] of Object.entries(made)) print(`  ${name} ${id}`)
      },
    )
}

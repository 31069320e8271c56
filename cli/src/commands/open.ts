import type { Command } from 'commander'
import openInBrowser from 'open'
import { connect } from '../connection.ts'
import { print } from '../output.ts'

export function addOpen(program: Command): void {
  program
    .command('open')
    .description('open the page of an object in the console')
    .argument('[id]', 'such as ord_…, txn_…, cus_…, pln_… (default: the first page)')
    .option('--print', 'print the address instead')
    .action(async (id: string | undefined, options: { print?: boolean }, command: Command) => {
      const { url, environment } = await connect(command)
      const address = `${url}/console${id === undefined ? '' : `/find/${encodeURIComponent(id)}`}?environment=${environment}`
      if (options.print === true || !process.stdout.isTTY) print(address)
      else await openInBrowser(address)
    })
}

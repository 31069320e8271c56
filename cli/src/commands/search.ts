import type { Command } from 'commander'
import { connect } from '../connection.ts'
import { formatOf, printRows } from '../output.ts'
import { sendRaw, withQuery } from '../request.ts'
import { readCount } from './resources.ts'

interface Hit {
  readonly type: string
  readonly id: string
  readonly title: string
  readonly subtitle: string | null
  readonly reference: string | null
  readonly customer: { readonly name: string } | null
  readonly amount: string | null
  readonly currency: string | null
  readonly state: string | null
  readonly created_at: string | null
}

export function addSearch(program: Command): void {
  program
    .command('search')
    .description('find orders, customers, plans, cards and more by anything you know of them')
    .argument('<text...>', 'a number, reference, name, e-mail, phone, amount or last four digits')
    .option('--limit <count>', 'how many', readCount, 20)
    .option('--json', 'print JSON')
    .action(
      async (words: string[], { limit, ...options }: { limit: number; json?: boolean }, command: Command) => {
        const path = withQuery('/svc/search/api/v1/openapi/search', { query: words.join(' '), limit })
        const { results } = await sendRaw(await connect(command), { method: 'GET', path })
        printRows(
          results as Hit[],
          [
            { title: 'type', of: ({ type }) => type },
            { title: 'id', of: ({ id }) => id },
            { title: 'title', of: ({ title }) => title },
            { title: '', of: ({ subtitle, customer }) => customer?.name ?? subtitle },
            { title: 'reference', of: ({ reference }) => reference },
            {
              title: 'amount',
              of: ({ amount, currency }) => (amount === null ? null : `${amount} ${currency ?? ''}`.trim()),
            },
            { title: 'state', of: ({ state }) => state },
            { title: 'created_at', of: (hit) => hit.created_at },
          ],
          formatOf(options),
        )
      },
    )
}

import type { Command } from 'commander'
import { connect } from '../connection.ts'
import { formatOf, printObject, printRows } from '../output.ts'
import { sendRaw, withQuery } from '../request.ts'

interface Totals {
  readonly from: string
  readonly to: string
  readonly currencies: readonly {
    readonly currency: string
    readonly paid_total: unknown
    readonly refunded_total: unknown
    readonly net_total: unknown
    readonly fee_total: unknown
    readonly orders_paid: number
    readonly before: { readonly net_total: unknown }
  }[]
}

interface Options {
  readonly from?: string
  readonly to?: string
  readonly json?: boolean
}

export function addTotals(program: Command): void {
  program
    .command('totals')
    .description('show what was paid and refunded in a range of days, by currency')
    .argument('[period]', 'today, last_7_days, last_30_days, this_month, last_month, this_year or last_year')
    .option('--from <date>', 'the first day')
    .option('--to <date>', 'the last day, included')
    .option('--json', 'print JSON')
    .action(async (period: string | undefined, { from, to, json }: Options, command: Command) => {
      const query = Object.entries({ period, from, to }).filter(([, value]) => value !== undefined)
      const path = withQuery('/svc/report/api/v1/openapi/totals', Object.fromEntries(query))
      const reply = await sendRaw(await connect(command), { method: 'GET', path })
      const totals = reply['totals'] as Totals
      const format = formatOf({ ...(json !== undefined && { json }) })
      if (format === 'json') return printObject(totals, format)
      printRows(
        totals.currencies,
        [
          { title: `${totals.from} to ${totals.to}`, of: ({ currency }) => currency },
          { title: 'paid', of: (row) => amountOf(row.paid_total) },
          { title: 'refunded', of: (row) => amountOf(row.refunded_total) },
          { title: 'net', of: (row) => amountOf(row.net_total) },
          { title: 'net before', of: ({ before }) => amountOf(before.net_total) },
          { title: 'known fees', of: (row) => amountOf(row.fee_total) },
          { title: 'orders paid', of: (row) => String(row.orders_paid) },
        ],
        format,
      )
    })
}

/** Amounts keep the digits of the response. */
function amountOf(amount: unknown): string | null {
  return amount === null ? null : JSON.stringify(amount)
}

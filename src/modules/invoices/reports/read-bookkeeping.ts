import { sumMoney, type Money } from '#kernel/money'
import { type Decimal, decimal } from '#kernel/decimal'
import type { OrderMoney } from '#modules/payments'
import type { Caller } from '#platform/caller'
import type { DateRange } from '#platform/http/validation/date-range'
import type { PageKey } from '#platform/http/validation/list'
import type { InvoicesContext } from '../context.ts'
import type { IssuedInvoice } from '../model/issued-invoice.ts'
import { listIssued } from '../storage/invoice.repository.ts'
import { readTaxes } from './read-sums.ts'
import type { ReportQuery } from './report-query.ts'

/**
 * - `paid`: What payments brought; refunds are not subtracted.
 * - `paidOn`: The value date of the newest of them; null without any.
 */
export interface BookkeepingRow {
  readonly invoice: IssuedInvoice
  readonly paid: Money
  readonly paidOn: string | null
}

export interface RateOfRange {
  readonly name: string
  readonly percentage: Decimal
}

/** - `rates`: Those of the range's documents. */
export interface Bookkeeping {
  readonly range: DateRange
  readonly rates: readonly RateOfRange[]
  readonly pages: AsyncGenerator<readonly BookkeepingRow[]>
}

const PAGE = 200

/** Reads the documents of a range, newest first, with what was paid of each. */
export async function readBookkeeping(
  ctx: InvoicesContext,
  caller: Caller,
  query: ReportQuery,
): Promise<Bookkeeping> {
  const { timeZone } = await ctx.businesses.profile(caller.businessId)
  const { scope, rows } = await readTaxes(ctx, caller, query)
  const rates = new Map(
    rows
      .filter(({ treatment }) => treatment === 'taxed')
      .map(({ name, percentage }) => [`${name} ${percentage}`, { name, percentage: decimal(percentage) }]),
  )
  async function* pages(): AsyncGenerator<BookkeepingRow[]> {
    for (let after: PageKey | undefined; ;) {
      const page = { list: '', offset: 0, limit: PAGE, after }
      const { found, money } = await ctx.db.transact(
        caller.businessId,
        async (tx) => {
          const documents = await listIssued(tx, scope, page)
          const orderIds = documents.filter(({ type }) => type === 'invoice').map((one) => one.orderNumber)
          return { found: documents, money: await ctx.payments.moneyOfOrders(tx, orderIds, timeZone) }
        },
        { isSnapshot: true },
      )
      const byOrder = Map.groupBy(
        money.filter(({ type, isReturned }) => type !== 'Refund' && type !== 'Return' && !isReturned),
        ({ orderId }) => orderId,
      )
      const documents = found.slice(0, PAGE)
      yield documents.map((invoice) => rowOf(invoice, byOrder.get(invoice.orderNumber) ?? []))
      const last = documents.at(-1)
      if (last === undefined || found.length <= PAGE) return
      after = { at: last.createdAt, id: last.id }
    }
  }
  return { range: scope.range, rates: [...rates.values()], pages: pages() }
}

/** A credit note is not paid: what went back is a refund of its invoice. Payments of a corrected invoice belong to the one that replaces it. */
function rowOf(invoice: IssuedInvoice, payments: readonly OrderMoney[]): BookkeepingRow {
  const own = invoice.type === 'invoice' && invoice.replacedBy === null ? payments : []
  return {
    invoice,
    paid: sumMoney(
      invoice.currency,
      own.map(({ amount }) => amount),
    ),
    paidOn: own.at(-1)?.date ?? null,
  }
}

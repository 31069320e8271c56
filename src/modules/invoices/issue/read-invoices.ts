import sql, { type Sql } from 'sql-template-tag'
import { localDateOf } from '#kernel/time-zone'
import type { Caller } from '#platform/caller'
import { filterCondition } from '#platform/filter/filter-condition'
import type { Tx } from '#platform/postgres/database'
import type { InvoicesContext } from '../context.ts'
import { errors } from '../errors.ts'
import type { AnyInvoice } from '../model/draft-invoice.ts'
import { findDraft } from '../storage/draft.repository.ts'
import {
  type CurrencyTotals,
  invoiceFields,
  type InvoicePage,
  type ListedInvoice,
  listInvoices,
  sumInvoices,
} from '../storage/invoice-list.repository.ts'
import { findInvoice } from '../storage/invoice.repository.ts'

export async function invoiceById(ctx: InvoicesContext, caller: Caller, id: string): Promise<AnyInvoice> {
  const { businessId } = caller
  const invoice = (await findInvoice(ctx.db, businessId, id)) ?? (await findDraft(ctx.db, businessId, id))
  if (invoice === undefined) throw errors.invoice_not_found()
  return invoice
}

export async function invoicesOfPage(
  ctx: InvoicesContext,
  { businessId }: Caller,
  filter: string | undefined,
  page: InvoicePage,
): Promise<ListedInvoice[]> {
  if (filter === undefined) {
    const query = <Row extends object>(statement: Sql) => ctx.db.read<Row>(businessId, statement)
    return listInvoices({ businessId, query }, sql`true`, page)
  }
  return search(ctx, businessId, filter, (tx, condition) => listInvoices(tx, condition, page))
}

/** Sums what a filter finds, by currency. */
export async function invoiceTotals(
  ctx: InvoicesContext,
  { businessId }: Caller,
  filter: string | undefined,
): Promise<CurrencyTotals[]> {
  return search(ctx, businessId, filter, sumInvoices)
}

async function search<Result>(
  ctx: InvoicesContext,
  businessId: string,
  filter: string | undefined,
  find: (tx: Tx, condition: Sql) => Promise<Result>,
): Promise<Result> {
  const { timeZone } = await ctx.businesses.profile(businessId)
  const isSearch = { isSearch: true } as const
  const work = (tx: Tx) => {
    const today = localDateOf(tx.now, timeZone).toString()
    return find(tx, filterCondition(filter, invoiceFields(today), timeZone))
  }
  return ctx.db.transact(businessId, work, isSearch)
}

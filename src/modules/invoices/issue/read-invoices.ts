import sql, { type Sql } from 'sql-template-tag'
import { localDateOf } from '#kernel/time-zone'
import type { PaidOrderView } from '#modules/payments'
import type { Caller } from '#platform/caller'
import { filterCondition } from '#platform/filter/filter-condition'
import type { Tx } from '#platform/postgres/database'
import type { InvoicesContext } from '../context.ts'
import { errors } from '../errors.ts'
import { type AnyInvoice, isDraft } from '../model/draft-invoice.ts'
import type { IssuedInvoice } from '../model/issued-invoice.ts'
import { findDraft } from '../storage/draft.repository.ts'
import {
  type CurrencyTotals,
  invoiceFields,
  type InvoicePage,
  type ListedInvoice,
  listInvoices,
  sumInvoices,
} from '../storage/invoice-list.repository.ts'
import { findInvoice, findInvoiceIn } from '../storage/invoice.repository.ts'
import { readPayers } from './read-payers.ts'

/**
 * An invoice with its order and the payments. These are left out of a credit note, of an invoice that was just made, and of one
 * that another replaced.
 */
export interface InvoiceView extends IssuedInvoice {
  readonly paid?: PaidView | undefined
}

/** - `payers`: By transaction, who sent a transfer. */
interface PaidView extends PaidOrderView {
  readonly payers: ReadonlyMap<string, string>
}

/** Reads an invoice as this transaction left it. */
export async function invoiceView(ctx: InvoicesContext, tx: Tx, id: string): Promise<InvoiceView> {
  const invoice = await findInvoiceIn(tx, id)
  if (invoice === undefined) throw errors.invoice_not_found()
  return viewOf(invoice, await paidViews(ctx, tx, [invoice.orderNumber]))
}

async function paidViews(
  ctx: InvoicesContext,
  tx: Tx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, PaidView>> {
  const orders = await ctx.payments.paidOrders(tx, ids)
  const payers = await readPayers(
    ctx,
    tx,
    [...orders.values()].flatMap(({ transactions }) => transactions),
  )
  return new Map([...orders].map(([id, paid]) => [id, { ...paid, payers }] as const))
}

/** Credit notes and drafts need no payments, and no second statement. */
async function paymentsOf(
  ctx: InvoicesContext,
  { businessId }: Caller,
  invoices: readonly AnyInvoice[],
): Promise<ReadonlyMap<string, PaidView>> {
  const ids = invoices.flatMap((one) => (isDraft(one) || one.type !== 'invoice' ? [] : one.orderNumber))
  if (ids.length === 0) return new Map()
  return ctx.db.transact(businessId, (tx) => paidViews(ctx, tx, [...new Set(ids)]))
}

function viewOf<Shown extends AnyInvoice>(invoice: Shown, orders: ReadonlyMap<string, PaidView>): Shown {
  if (isDraft(invoice)) return invoice
  const paid = orders.get(invoice.orderNumber)
  return paid?.order.invoice?.id === invoice.id ? { ...invoice, paid } : invoice
}

export async function invoiceById(ctx: InvoicesContext, caller: Caller, id: string): Promise<AnyInvoice> {
  const { businessId } = caller
  const invoice = (await findInvoice(ctx.db, businessId, id)) ?? (await findDraft(ctx.db, businessId, id))
  if (invoice === undefined) throw errors.invoice_not_found()
  return viewOf(invoice, await paymentsOf(ctx, caller, [invoice]))
}

export async function invoicesOfPage(
  ctx: InvoicesContext,
  caller: Caller,
  filter: string | undefined,
  page: InvoicePage,
): Promise<ListedInvoice[]> {
  const listed = await listedOf(ctx, caller, filter, page)
  const orders = await paymentsOf(
    ctx,
    caller,
    listed.map(({ invoice }) => invoice),
  )
  return listed.map((one) => ({ ...one, invoice: viewOf(one.invoice, orders) }))
}

async function listedOf(
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

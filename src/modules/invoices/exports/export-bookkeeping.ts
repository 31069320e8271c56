import { decimalToString } from '#kernel/decimal'
import { localDateOf, type TimeZone } from '#kernel/time-zone'
import type { OrderMoney } from '#modules/payments'
import {
  type Bookkeeping,
  bookkeeping,
  type BookkeepingAccounts,
  type DatevSettings,
  NO_ACCOUNTS,
} from '#modules/taxes'
import type { Caller } from '#platform/caller'
import { platformErrors } from '#platform/errors'
import { csvLine } from '#platform/http/routes/csv'
import type { DateRange } from '#platform/http/validation/date-range'
import type { InvoicesContext } from '../context.ts'
import { errors } from '../errors.ts'
import type { IssuedInvoice } from '../model/issued-invoice.ts'
import { signed } from '../model/signed.ts'
import { readIssuedScope, type ReportQuery } from '../reports/report-query.ts'
import { listIssuedUpwards } from '../storage/invoice.repository.ts'
import type { IssuedScope } from '../storage/issued-scope.ts'
import { findInvoicesOfOrders, type InvoiceOfOrder } from '../storage/open-invoice.repository.ts'
import type { DocumentKey } from '../storage/tax-report.repository.ts'
import {
  accountOf,
  type MissingAccount,
  missingOfDocument,
  moneyKind,
  rateGroupsOf,
} from './decide-bookings.ts'
import { type Booking, datevHead, datevLine, fiscalYearOf } from './datev.ts'
import { QUICKBOOKS, salesLinesOf, XERO } from './sales-csv.ts'

export const EXPORT_FORMATS = ['datev', 'xero', 'quickbooks'] as const
type ExportFormat = (typeof EXPORT_FORMATS)[number]

export interface ExportQuery extends ReportQuery {
  readonly format: ExportFormat
}

/** - `content`: Made while it is read; the same for the same range while nothing in it changes. */
export interface BookkeepingExport {
  readonly format: ExportFormat
  readonly range: DateRange
  readonly content: AsyncGenerator<string | Uint8Array>
}

interface Job {
  readonly ctx: InvoicesContext
  readonly caller: Caller
  readonly scope: IssuedScope
  readonly zone: TimeZone
}

/** Reads everything twice: first what has no account, so that a file is whole or not sent. */
export async function exportBookkeeping(
  ctx: InvoicesContext,
  caller: Caller,
  query: ExportQuery,
): Promise<BookkeepingExport> {
  const { format } = query
  const { zone, ...scope } = await readIssuedScope(ctx, caller, query)
  const settings = await ctx.db.transact(caller.businessId, bookkeeping)
  const accounts = settings.accounts ?? NO_ACCOUNTS
  const job: Job = { ctx, caller, scope, zone }
  if (format === 'datev') requireOneFiscalYear(scope.range, settings)
  await requireAccounts(job, format, { ...settings, accounts })
  if (format === 'datev' && settings.datev !== null) {
    return { format, range: scope.range, content: datevContent(job, accounts, settings.datev) }
  }
  return { format, range: scope.range, content: salesContent(job, accounts, format) }
}

/** DATEV's dates have no year. */
function requireOneFiscalYear({ from, to }: DateRange, { datev }: Bookkeeping): void {
  if (datev === null || fiscalYearOf(from, datev).equals(fiscalYearOf(to, datev))) return
  const message = `from and to must be in one fiscal year, which begins on ${datev.fiscalYearStart}.`
  throw platformErrors.invalid_date_range({ param: 'from', message })
}

async function requireAccounts(
  job: Job,
  format: ExportFormat,
  { accounts, datev }: Bookkeeping & { readonly accounts: BookkeepingAccounts },
): Promise<void> {
  const missing = new Map<string, MissingAccount>()
  const add = (found: readonly MissingAccount[]) => {
    for (const one of found) {
      const { percentage } = one
      const key = `${one.kind} ${one.treatment ?? ''} ${percentage === undefined ? '' : decimalToString(percentage)}`
      missing.set(key, one)
    }
  }
  const isDatev = format === 'datev'
  if (isDatev && datev === null) add([{ kind: 'datev' }])
  const needed = { receivables: isDatev, tax: !isDatev }
  for await (const documents of documentPages(job)) {
    for (const document of documents) add(missingOfDocument(document, accounts, needed))
  }
  if (isDatev) {
    for await (const movements of moneyPages(job)) {
      for (const { money } of movements) {
        const kind = moneyKind(money.paymentMethod)
        add([
          ...(accounts[kind] === null ? [{ kind }] : []),
          ...(accounts.receivables === null ? [{ kind: 'receivables' as const }] : []),
        ])
      }
    }
  }
  if (missing.size === 0) return
  throw errors.accounts_missing({
    data: {
      accounts: [...missing.values()].map(({ kind, percentage, treatment }) => ({
        kind,
        ...(percentage !== undefined && { percentage: Number(decimalToString(percentage)) }),
        ...(treatment !== undefined && { treatment }),
      })),
    },
  })
}

async function* salesContent(
  job: Job,
  accounts: BookkeepingAccounts,
  format: ExportFormat,
): AsyncGenerator<string> {
  const columns = format === 'xero' ? XERO : QUICKBOOKS
  yield csvLine(columns.map(([name]) => name))
  for await (const documents of documentPages(job)) {
    const lines = documents.flatMap((document) => salesLinesOf(document, accounts))
    yield lines.map((line) => csvLine(columns.map(([, value]) => value(line)))).join('')
  }
}

async function* datevContent(
  job: Job,
  accounts: BookkeepingAccounts,
  datev: DatevSettings,
): AsyncGenerator<Uint8Array> {
  const { from, to } = job.scope.range
  const fiscalYear = fiscalYearOf(from, datev).toString()
  yield datevHead({ datev, from: from.toString(), to: to.toString(), fiscalYear })
  for await (const documents of documentPages(job)) {
    for (const document of documents) {
      for (const booking of bookingsOf(document, accounts)) yield datevLine(booking)
    }
  }
  for await (const movements of moneyPages(job)) {
    for (const movement of movements) yield datevLine(bookingOfMoney(movement, accounts))
  }
}

/** Receivables against revenue with tax: DATEV splits the tax off by the tax key or the account. */
function bookingsOf(document: IssuedInvoice, accounts: BookkeepingAccounts): Booking[] {
  return rateGroupsOf(document)
    .filter(({ gross }) => !gross.isZero())
    .map((group) => {
      const revenue = accountOf(accounts.revenue, group)
      return {
        amount: signed(document, group.gross),
        account: accounts.receivables ?? '',
        contra: revenue?.account ?? '',
        taxKey: revenue?.taxKey ?? null,
        date: document.issueDate,
        reference: document.number,
        link: document.corrected.at(0)?.number ?? '',
        text: document.buyer.name,
      }
    })
}

/** Bank or cash against receivables; a refund has a negative amount. */
function bookingOfMoney({ money, invoice }: Movement, accounts: BookkeepingAccounts): Booking {
  return {
    amount: money.amount,
    account: accounts[moneyKind(money.paymentMethod)] ?? '',
    contra: accounts.receivables ?? '',
    taxKey: null,
    date: money.date,
    reference: invoice.number,
    link: '',
    text: invoice.buyerName,
  }
}

const PAGE = 200

async function* documentPages({ ctx, caller, scope }: Job): AsyncGenerator<readonly IssuedInvoice[]> {
  for (let after: DocumentKey | undefined; ;) {
    const start: DocumentKey | undefined = after
    const documents: IssuedInvoice[] = await ctx.db.transact(
      caller.businessId,
      (tx) => listIssuedUpwards(tx, scope, start, PAGE),
      { isSnapshot: true },
    )
    yield documents
    const last = documents.at(-1)
    if (last === undefined || documents.length < PAGE) return
    after = { at: last.createdAt, id: last.id }
  }
}

interface Movement {
  readonly money: OrderMoney
  readonly invoice: InvoiceOfOrder
}

/** What was paid and refunded for invoices, day by day. */
async function* moneyPages({ ctx, caller, scope, zone }: Job): AsyncGenerator<readonly Movement[]> {
  const { range, legalEntityId, currency } = scope
  for (let day = range.from; Temporal.PlainDate.compare(day, range.to) <= 0; day = day.add({ days: 1 })) {
    const date = day.toString()
    const movements = await ctx.db.transact(
      caller.businessId,
      async (tx) => {
        if (Temporal.PlainDate.compare(day, localDateOf(tx.now, zone).add({ days: 1 })) > 0) return []
        const money = await ctx.payments.moneyOfDay(tx, date, zone)
        const invoices = await findInvoicesOfOrders(tx, [...new Set(money.map(({ orderId }) => orderId))])
        return money.flatMap((one) => {
          const invoice = invoices.get(one.orderId)
          return invoice === undefined ? [] : { money: one, invoice }
        })
      },
      { isSnapshot: true },
    )
    yield movements.filter(
      ({ money, invoice }) =>
        (legalEntityId === undefined || invoice.legalEntityId === legalEntityId) &&
        (currency === undefined || money.amount.currency === currency),
    )
  }
}

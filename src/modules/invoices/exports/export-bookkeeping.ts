import { decimalToString } from '#kernel/decimal'
import { localDateOf, startOfLocalDay, type TimeZone } from '#kernel/time-zone'
import { Money } from '#kernel/money'
import {
  type Bookkeeping,
  bookkeeping,
  type BookkeepingAccounts,
  convert,
  type DatevSettings,
  NO_ACCOUNTS,
  type RateKey,
} from '#modules/taxes'
import type { Caller } from '#platform/caller'
import { platformErrors } from '#platform/errors'
import { csvLine } from '#platform/http/routes/csv'
import type { DateRange } from '#platform/http/validation/date-range'
import type { InvoicesContext } from '../context.ts'
import { errors } from '../errors.ts'
import { rateMissing } from '../issue/find-exchange.ts'
import type { IssuedInvoice } from '../model/issued-invoice.ts'
import { signed } from '../model/signed.ts'
import { type DatedSettlement, readSettlements } from '../reports/read-open.ts'
import { readIssuedScope } from '../reports/report-query.ts'
import { listIssuedUpwards } from '../storage/invoice.repository.ts'
import type { IssuedScope } from '../storage/issued-scope.ts'
import { findInvoicesOfOrders, type InvoiceOfOrder } from '../storage/open-invoice.repository.ts'
import type { DocumentKey } from '../storage/tax-report.repository.ts'
import {
  accountOf,
  type MissingAccount,
  missingOfDocument,
  missingOfMoney,
  moneyKind,
  rateGroupsOf,
} from './decide-bookings.ts'
import { type BaseRate, documentToConvert, findBaseRates, moneyToConvert } from './base-rates.ts'
import type { ExportQuery } from './export-query.ts'
import { type Booking, datevHead, datevLine, fiscalYearOf } from './datev.ts'
import {
  journalLinesOf,
  type Movement,
  QUICKBOOKS_JOURNAL,
  statementLinesOf,
  XERO_STATEMENT,
} from './money-csv.ts'
import { QUICKBOOKS, salesLinesOf, XERO } from './sales-csv.ts'

type ExportRecords = NonNullable<ExportQuery['records']>

/** - `content`: Made while it is read; the same for the same range while nothing in it changes. */
export interface BookkeepingExport {
  readonly format: ExportQuery['format']
  readonly records: ExportRecords | undefined
  readonly range: DateRange
  readonly content: AsyncGenerator<string | Uint8Array>
}

interface Job {
  readonly ctx: InvoicesContext
  readonly caller: Caller
  readonly scope: IssuedScope
  readonly zone: TimeZone
  readonly format: ExportQuery['format']
  readonly records: ExportRecords | undefined
}

/** Reads everything twice: first what has no account, so that a file is whole or not sent. */
export async function exportBookkeeping(
  ctx: InvoicesContext,
  caller: Caller,
  query: ExportQuery,
): Promise<BookkeepingExport> {
  const { format } = query
  const records = query.records ?? (format === 'datev' ? undefined : 'documents')
  const { zone, ...scope } = await readIssuedScope(ctx, caller, query)
  const settings = await ctx.db.transact(caller.businessId, bookkeeping)
  const accounts = settings.accounts ?? NO_ACCOUNTS
  const job: Job = { ctx, caller, scope, zone, format, records }
  if (format === 'datev') requireOneFiscalYear(scope.range, settings)
  await requireAccounts(job, { ...settings, accounts })
  return { format, records, range: scope.range, content: contentOf(job, accounts, settings.datev) }
}

function contentOf(
  job: Job,
  accounts: BookkeepingAccounts,
  datev: DatevSettings | null,
): AsyncGenerator<string | Uint8Array> {
  if (job.format === 'datev' && datev !== null) return datevContent(job, accounts, datev)
  return job.records === 'documents' ? salesContent(job, accounts) : moneyContent(job, accounts)
}

/** DATEV's dates have no year. */
function requireOneFiscalYear({ from, to }: DateRange, { datev }: Bookkeeping): void {
  if (datev === null || fiscalYearOf(from, datev).equals(fiscalYearOf(to, datev))) return
  const message = `from and to must be in one fiscal year, which begins on ${datev.fiscalYearStart}.`
  throw platformErrors.invalid_date_range({ param: 'from', message })
}

async function requireAccounts(
  job: Job,
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
  const rates = new Map<string, RateKey>()
  const isDatev = job.format === 'datev'
  if (isDatev && datev === null) add([{ kind: 'datev' }])
  const needed = { receivables: isDatev, tax: !isDatev }
  for await (const documents of documentPages(job)) {
    for (const { document, base } of documents) {
      add(missingOfDocument(document, accounts, needed))
      if (base !== null && 'missing' in base) rates.set(JSON.stringify(base.missing), base.missing)
    }
  }
  for await (const movements of moneyPages(job)) {
    for (const { money, base } of movements) {
      add(missingOfMoney(money, accounts))
      if (base !== null && 'missing' in base) rates.set(JSON.stringify(base.missing), base.missing)
    }
  }
  for await (const writeOffs of writeOffPages(job, accounts)) {
    for (const { base } of writeOffs) {
      if (base !== null && 'missing' in base) rates.set(JSON.stringify(base.missing), base.missing)
    }
  }
  if (missing.size === 0 && rates.size > 0) throw rateMissing([...rates.values()].slice(0, MAX_NAMED))
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

/** At most how many missing rates the refusal names. */
const MAX_NAMED = 100

async function* salesContent(job: Job, accounts: BookkeepingAccounts): AsyncGenerator<string> {
  const columns = job.format === 'xero' ? XERO : QUICKBOOKS
  yield csvLine(columns.map(([name]) => name))
  for await (const documents of documentPages(job)) {
    const lines = documents.flatMap(({ document }) => salesLinesOf(document, accounts))
    yield lines.map((line) => csvLine(columns.map(([, value]) => value(line)))).join('')
  }
}

async function* moneyContent(job: Job, accounts: BookkeepingAccounts): AsyncGenerator<string> {
  const isXero = job.format === 'xero'
  yield csvLine((isXero ? XERO_STATEMENT : QUICKBOOKS_JOURNAL).map(([name]) => name))
  for await (const movements of moneyPages(job)) {
    const lines = isXero
      ? movements
          .flatMap((movement) => statementLinesOf(movement, accounts))
          .map((line) => csvLine(XERO_STATEMENT.map(([, value]) => value(line))))
      : movements
          .flatMap((movement) => journalLinesOf(movement, accounts))
          .map((line) => csvLine(QUICKBOOKS_JOURNAL.map(([, value]) => value(line))))
    yield lines.join('')
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
    for (const movement of movements) {
      for (const booking of bookingsOfMoney(movement, accounts)) yield datevLine(booking)
    }
  }
  for await (const writeOffs of writeOffPages(job, accounts)) {
    for (const writeOff of writeOffs) yield datevLine(bookingOfWriteOff(writeOff, accounts))
  }
}

/**
 * Receivables against revenue with tax: DATEV splits the tax off by the tax key or the account. Amounts in the currency of the books are
 * running shares, so that they sum to the converted document.
 */
function bookingsOf({ document, base }: ConvertedDocument, accounts: BookkeepingAccounts): Booking[] {
  const groups = rateGroupsOf(document).filter(({ gross }) => !gross.isZero())
  const inBase = runningConverter(base, document.currency)
  return groups.map((group) => {
    const revenue = accountOf(accounts.revenue, group)
    const amount = signed(document, group.gross)
    return {
      amount,
      inBase: inBase(amount),
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

/** Bank or cash, and what the bank kept, against receivables; a refund has a negative amount. */
function bookingsOfMoney(
  { money, invoice, base }: ConvertedMovement,
  accounts: BookkeepingAccounts,
): Booking[] {
  const inBase = runningConverter(base, money.amount.currency)
  const parts = [
    { amount: money.amount.minus(money.fee), account: accounts[moneyKind(money.paymentMethod)] },
    { amount: money.fee, account: accounts.fees },
  ]
  return parts
    .filter(({ amount }) => !amount.isZero())
    .map(({ amount, account }) => ({
      amount,
      inBase: inBase(amount),
      account: account ?? '',
      contra: accounts.receivables ?? '',
      taxKey: null,
      date: money.date,
      reference: invoice.number,
      link: '',
      text: invoice.buyerName,
    }))
}

/** With its tax, which the bookkeeper may correct; what was reversed has a negative amount. */
function bookingOfWriteOff(
  { writeOff: { amount, date }, invoice, base }: ConvertedWriteOff,
  accounts: BookkeepingAccounts,
): Booking {
  return {
    amount,
    inBase: runningConverter(base, amount.currency)(amount),
    account: accounts.writeOffs ?? '',
    contra: accounts.receivables ?? '',
    taxKey: null,
    date,
    reference: invoice.number,
    link: '',
    text: invoice.buyerName,
  }
}

function runningConverter(base: BaseRate, currency: string): (amount: Money) => Booking['inBase'] {
  if (base === null || 'missing' in base) return () => null
  const { rate } = base
  let sum = Money.zero(currency)
  let converted = convert(sum, rate)
  return (amount) => {
    sum = sum.plus(amount)
    const until = convert(sum, rate)
    const share = until.minus(converted)
    converted = until
    return { amount: share, rate }
  }
}

const PAGE = 200

interface ConvertedDocument {
  readonly document: IssuedInvoice
  readonly base: BaseRate
}

/** Only DATEV books in the currency of the seller; the other programs have rates of their own. */
async function* documentPages(job: Job): AsyncGenerator<readonly ConvertedDocument[]> {
  const { ctx, caller, scope, format, records } = job
  if (records !== undefined && records !== 'documents') return
  for (let after: DocumentKey | undefined; ;) {
    const start: DocumentKey | undefined = after
    const documents: ConvertedDocument[] = await ctx.db.transact(
      caller.businessId,
      async (tx) => {
        const found = await listIssuedUpwards(tx, scope, start, PAGE)
        const toConvert = format === 'datev' ? found.map(documentToConvert) : []
        const bases = await findBaseRates(tx, toConvert, { prefersDay: false })
        return found.map((document, index) => ({ document, base: bases[index] ?? null }))
      },
      { isSnapshot: true },
    )
    yield documents
    const last = documents.at(-1)?.document
    if (last === undefined || documents.length < PAGE) return
    after = { at: last.createdAt, id: last.id }
  }
}

interface ConvertedMovement extends Movement {
  readonly base: BaseRate
}

/** What was paid and refunded for invoices, day by day. */
async function* moneyPages(job: Job): AsyncGenerator<readonly ConvertedMovement[]> {
  const { scope, records } = job
  if (records === 'documents') return
  for (
    let day = scope.range.from;
    Temporal.PlainDate.compare(day, scope.range.to) <= 0;
    day = day.add({ days: 1 })
  )
    yield await moneyOfDay(job, day)
}

async function moneyOfDay(
  { ctx, caller, scope, zone, format, records }: Job,
  day: Temporal.PlainDate,
): Promise<ConvertedMovement[]> {
  const { legalEntityId, currency } = scope
  const isAsked = ({ money, invoice }: Movement) =>
    (legalEntityId === undefined || invoice.legalEntityId === legalEntityId) &&
    (currency === undefined || money.amount.currency === currency) &&
    (records === undefined || moneyKind(money.paymentMethod) === records)
  return ctx.db.transact(
    caller.businessId,
    async (tx) => {
      if (Temporal.PlainDate.compare(day, localDateOf(tx.now, zone).add({ days: 1 })) > 0) return []
      const money = await ctx.payments.moneyOfDay(tx, day.toString(), zone)
      const invoices = await findInvoicesOfOrders(tx, [...new Set(money.map(({ orderId }) => orderId))])
      const movements = money.flatMap((one) => {
        const invoice = invoices.get(one.orderId)
        return invoice === undefined || !isAsked({ money: one, invoice }) ? [] : { money: one, invoice }
      })
      const toConvert = movements.map((one) => moneyToConvert(one.money, one.invoice))
      const bases = await findBaseRates(tx, format === 'datev' ? toConvert : [], { prefersDay: true })
      return movements.map((movement, index) => ({ ...movement, base: bases[index] ?? null }))
    },
    { isSnapshot: true },
  )
}

interface ConvertedWriteOff {
  readonly writeOff: DatedSettlement
  readonly invoice: InvoiceOfOrder
  readonly base: BaseRate
}

/** What was written off, day by day, if it has an account. Only DATEV takes bookings that are neither documents nor money. */
async function* writeOffPages(
  job: Job,
  { writeOffs }: BookkeepingAccounts,
): AsyncGenerator<readonly ConvertedWriteOff[]> {
  const { range } = job.scope
  if (job.format !== 'datev' || job.records !== undefined || writeOffs === null) return
  for (let day = range.from; Temporal.PlainDate.compare(day, range.to) <= 0; day = day.add({ days: 1 }))
    yield await writeOffsOfDay(job, day)
}

/** What was written off at a match counts on the day of the transfer, so the orders of that day's money are read, too. */
async function writeOffsOfDay(
  { ctx, caller, scope, zone }: Job,
  day: Temporal.PlainDate,
): Promise<ConvertedWriteOff[]> {
  const date = day.toString()
  const [from, to] = [startOfLocalDay(day, zone), startOfLocalDay(day.add({ days: 1 }), zone)]
  const { legalEntityId, currency } = scope
  return ctx.db.transact(
    caller.businessId,
    async (tx) => {
      if (Temporal.PlainDate.compare(day, localDateOf(tx.now, zone).add({ days: 1 })) > 0) return []
      const moved = await ctx.payments.moneyOfDay(tx, date, zone)
      const found = await Promise.all(ctx.writeOffFinders.map((find) => find(tx, from, to)))
      const candidates = [...new Set([...moved.map(({ orderId }) => orderId), ...found.flat()])]
      const settlements = await Promise.all(ctx.settlementReaders.map((read) => read(tx, candidates)))
      const writtenOff = settlements.flat().filter(({ kind }) => kind === 'write_off')
      const orderIds = [...new Set(writtenOff.map(({ orderId }) => orderId))]
      const money = await ctx.payments.moneyOfOrders(tx, orderIds, zone)
      const settled = await readSettlements(ctx, tx, orderIds, { money, zone })
      const invoices = await findInvoicesOfOrders(tx, orderIds)
      const writeOffs = settled.flatMap((writeOff) => {
        const invoice = invoices.get(writeOff.orderId)
        if (invoice === undefined || writeOff.kind !== 'write_off' || writeOff.date !== date) return []
        const isAsked =
          (legalEntityId === undefined || invoice.legalEntityId === legalEntityId) &&
          (currency === undefined || writeOff.amount.currency === currency)
        return isAsked ? [{ writeOff, invoice }] : []
      })
      const toConvert = writeOffs.map((one) => moneyToConvert(one.writeOff, one.invoice))
      const bases = await findBaseRates(tx, toConvert, { prefersDay: true })
      return writeOffs.map((one, index) => ({ ...one, base: bases[index] ?? null }))
    },
    { isSnapshot: true },
  )
}

import { decimalToString } from '#kernel/decimal'
import {
  type Bookkeeping,
  bookkeeping,
  type BookkeepingAccounts,
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
import { readIssuedScope } from '../reports/report-query.ts'
import type { BaseRate } from './base-rates.ts'
import { type Booking, bookingProblem, datevHead, datevLine, fiscalYearOf } from './datev.ts'
import { bookingOfWriteOff, bookingsOf, bookingsOfMoney, missingOfBooking } from './datev-bookings.ts'
import { type MissingAccount, missingOfDocument, missingOfMoney } from './decide-bookings.ts'
import { documentPages, type ExportJob, moneyPages, writeOffPages } from './export-pages.ts'
import type { ExportQuery } from './export-query.ts'
import { journalLinesOf, QUICKBOOKS_JOURNAL, statementLinesOf, XERO_STATEMENT } from './money-csv.ts'
import { QUICKBOOKS, quickbooksProblem, salesLinesOf, XERO } from './sales-csv.ts'

/** - `content`: Made while it is read; the same for the same range while nothing in it changes. */
export interface BookkeepingExport {
  readonly format: ExportQuery['format']
  readonly records: ExportQuery['records']
  readonly range: DateRange
  readonly content: AsyncGenerator<string | Uint8Array>
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
  const job: ExportJob = { ctx, caller, scope, zone, format, records }
  if (format === 'datev') requireOneFiscalYear(scope.range, settings)
  await requireAccounts(job, { ...settings, accounts })
  return { format, records, range: scope.range, content: contentOf(job, accounts, settings.datev) }
}

function contentOf(
  job: ExportJob,
  accounts: BookkeepingAccounts,
  datev: DatevSettings | null,
): AsyncGenerator<string | Uint8Array> {
  if (job.format === 'datev' && datev !== null) return datevContent(job, accounts, datev)
  return job.records === 'documents' ? salesContent(job, accounts) : moneyContent(job, accounts)
}

/** DATEV's dates have no year, and a file is of one calendar year. */
function requireOneFiscalYear({ from, to }: DateRange, { datev }: Bookkeeping): void {
  if (datev === null) return
  if (from.year === to.year && fiscalYearOf(from, datev).equals(fiscalYearOf(to, datev))) return
  const message = `from and to must be in one calendar year and in one fiscal year, which begins on ${datev.fiscalYearStart}.`
  throw platformErrors.invalid_date_range({ param: 'from', message })
}

async function requireAccounts(
  job: ExportJob,
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
  const addBase = (currency: string, base: BaseRate) => {
    if (base !== null && 'missing' in base) rates.set(JSON.stringify(base.missing), base.missing)
    if (isDatev) add(missingOfBooking(currency, base))
  }
  if (isDatev && datev === null) add([{ kind: 'datev' }])
  const needed = { receivables: isDatev, tax: !isDatev }
  let rows = 0
  let problem: string | undefined
  const check = (bookings: () => readonly Booking[]) => {
    if (!isDatev || datev === null) return
    for (const booking of bookings()) {
      rows += 1
      problem ??= bookingProblem(booking, datev)
    }
  }
  for await (const documents of documentPages(job)) {
    for (const { document, base } of documents) {
      add(missingOfDocument(document, accounts, needed))
      addBase(document.currency, base)
      check(() => bookingsOf({ document, base }, accounts))
      if (job.format === 'quickbooks') problem ??= quickbooksProblem(document)
    }
  }
  for await (const movements of moneyPages(job)) {
    for (const movement of movements) {
      add(missingOfMoney(movement.money, accounts))
      addBase(movement.money.amount.currency, movement.base)
      check(() => bookingsOfMoney(movement, accounts))
    }
  }
  for await (const writeOffs of writeOffPages(job, accounts)) {
    for (const writeOff of writeOffs) {
      addBase(writeOff.writeOff.amount.currency, writeOff.base)
      check(() => [bookingOfWriteOff(writeOff, accounts)])
    }
  }
  if (missing.size === 0 && rates.size > 0) throw rateMissing([...rates.values()].slice(0, MAX_NAMED))
  if (rows > MAX_BOOKINGS)
    problem ??= `DATEV imports at most ${MAX_BOOKINGS} rows of a file, and this one has ${rows}.`
  if (missing.size === 0 && problem !== undefined) throw errors.not_importable({ message: problem })
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

/** Of DATEV's Stapelverarbeitung. */
const MAX_BOOKINGS = 99_999
/** At most how many missing rates the refusal names. */
const MAX_NAMED = 100

async function* salesContent(job: ExportJob, accounts: BookkeepingAccounts): AsyncGenerator<string> {
  const columns = job.format === 'xero' ? XERO : QUICKBOOKS
  yield csvLine(columns.map(([name]) => name))
  for await (const documents of documentPages(job)) {
    const lines = documents.flatMap(({ document }) => salesLinesOf(document, accounts))
    yield lines.map((line) => csvLine(columns.map(([, value]) => value(line)))).join('')
  }
}

async function* moneyContent(job: ExportJob, accounts: BookkeepingAccounts): AsyncGenerator<string> {
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
  job: ExportJob,
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

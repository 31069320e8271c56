import { CsvError, readRow } from '#kernel/csv'
import { isCurrency } from '#kernel/currencies'
import { Money, parseMoney } from '#kernel/money'
import { invalidLine } from '../errors.ts'
import type { StatementEntry } from '../model/statement-entry.ts'
import { identifyEntries, type ReadEntry } from './identify-entries.ts'
import { ibanOf, isDate, MAX_STATEMENT_LENGTH } from './statement-values.ts'

const REQUIRED = ['booking_date', 'amount', 'currency'] as const
const COLUMNS = [...REQUIRED, 'debtor_name', 'debtor_iban', 'bank_reference', 'remittance'] as const

type Column = (typeof COLUMNS)[number]

/** Rows of debits, with an amount of 0 or less, are left out. */
export function parseStatementCsv(text: string): StatementEntry[] {
  if (text.length > MAX_STATEMENT_LENGTH) {
    throw invalidLine(1, `begins a statement of more than ${MAX_STATEMENT_LENGTH} characters`)
  }
  const rows = rowsOf(text)
  const header = rows.next()
  if (header.done === true) throw invalidLine(1, 'must be the header')
  const columns = header.value.cells.map((name) => name.trim())
  checkHeader(columns)
  const entries: ReadEntry[] = []
  for (const { cells, line } of rows) {
    if (cells.length !== columns.length) {
      throw invalidLine(line, `has ${cells.length} cells, and the header ${columns.length}`)
    }
    const cell = (column: Column) => cells[columns.indexOf(column)]?.trim() ?? ''
    const entry = entryOf(cell, line)
    if (entry !== undefined) entries.push(entry)
  }
  return identifyEntries(entries)
}

interface Row {
  readonly cells: readonly string[]
  readonly line: number
}

function* rowsOf(text: string): Generator<Row, undefined> {
  let line = 1
  for (let offset = text.startsWith('\uFEFF') ? 1 : 0; offset < text.length;) {
    const row = rowAt(text, offset, line)
    if (row === null) return
    if (row.cells.some((cell) => cell !== '')) yield { cells: row.cells, line }
    for (; offset < row.next; offset++) if (text[offset] === '\n') line += 1
  }
}

function rowAt(text: string, offset: number, line: number): ReturnType<typeof readRow> {
  try {
    return readRow(text, offset)
  } catch (error) {
    if (error instanceof CsvError) throw invalidLine(line, 'is not CSV')
    throw error
  }
}

function checkHeader(columns: readonly string[]): void {
  const unknown = columns.find((name) => !COLUMNS.some((column) => column === name))
  if (unknown !== undefined)
    throw invalidLine(1, `names "${unknown}", which is none of ${COLUMNS.join(', ')}`)
  const missing = REQUIRED.find((column) => !columns.includes(column))
  if (missing !== undefined) throw invalidLine(1, `must name the column ${missing}`)
  if (new Set(columns).size < columns.length) throw invalidLine(1, 'names a column twice')
}

function entryOf(cell: (column: Column) => string, line: number): ReadEntry | undefined {
  const bookingDate = cell('booking_date')
  if (!isDate(bookingDate)) throw invalidLine(line, 'must have a booking_date such as 2027-01-31')
  const currency = cell('currency')
  if (!isCurrency(currency)) throw invalidLine(line, 'must have a currency of ISO 4217')
  const amount = parseMoney(currency, cell('amount'))
  if (!(amount instanceof Money)) throw invalidLine(line, `has an amount that ${amount.message}`)
  if (!amount.isPositive()) return undefined
  return {
    kind: 'credit',
    account: null,
    bookingDate,
    amount,
    debtorName: cell('debtor_name') || null,
    debtorIban: ibanOf(cell('debtor_iban')),
    bankReference: cell('bank_reference') || null,
    endToEndId: null,
    remittance: cell('remittance'),
    isReferenceShared: false,
  }
}

import { CsvError, readRow } from '#kernel/csv'
import { isCurrency } from '#kernel/currencies'
import { nameOrPosition } from '#platform/http/validation/member-path'
import { invalidLine } from '../errors.ts'
import type { ReadEntry } from './identify-entries.ts'
import {
  checkLength,
  DATE_RULE,
  ibanOf,
  isDate,
  PIECE_LENGTH,
  readAmount,
  tooLong,
} from './statement-values.ts'

const REQUIRED = ['booking_date', 'amount', 'currency'] as const
const COLUMNS = [...REQUIRED, 'debtor_name', 'debtor_iban', 'bank_reference', 'remittance'] as const
/** A row is longest if its texts consist of quotation marks, which are written twice. */
const MAX_ROW = 150_000

type Column = (typeof COLUMNS)[number]

/** Yields the entries of a piece of the text at a time. Rows of debits, with an amount of 0 or less, are left out. */
export function* parseStatementCsv(text: string): Generator<readonly ReadEntry[]> {
  checkLength(text)
  const columns = new Map<string, number>()
  let entries: ReadEntry[] = []
  let line = 1
  let offset = text.startsWith('\uFEFF') ? 1 : 0
  for (let nextPiece = PIECE_LENGTH; offset < text.length;) {
    const { cells, next } = rowAt(text, offset, line)
    if (cells.some((cell) => cell !== '')) {
      if (columns.size === 0) readHeader(cells, line, columns)
      else entries.push(...entriesOf(cells, line, columns))
    }
    line += linesIn(text, offset, next)
    offset = next
    if (offset < nextPiece) continue
    nextPiece = offset + PIECE_LENGTH
    yield entries
    entries = []
  }
  if (columns.size === 0) throw invalidLine(1, 'must be the header')
  yield entries
}

function rowAt(text: string, offset: number, line: number): NonNullable<ReturnType<typeof readRow>> {
  try {
    return readRow(text, offset, MAX_ROW) ?? { cells: [], next: text.length }
  } catch (error) {
    if (error instanceof CsvError)
      throw invalidLine(line, `begins a row that is not CSV, or longer than ${MAX_ROW} characters`)
    throw error
  }
}

function linesIn(text: string, start: number, end: number): number {
  let lines = 0
  for (let at = text.indexOf('\n', start); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}

function readHeader(cells: readonly string[], line: number, columns: Map<string, number>): void {
  for (const [index, cell] of cells.entries()) {
    const name = cell.trim()
    if (!COLUMNS.some((column) => column === name)) {
      const shown = nameOrPosition(name, 'column', index + 1)
      throw invalidLine(line, `names the unknown column ${shown}; known: ${COLUMNS.join(', ')}`)
    }
    if (columns.has(name)) throw invalidLine(line, `names ${name} twice`)
    columns.set(name, index)
  }
  const missing = REQUIRED.find((column) => !columns.has(column))
  if (missing !== undefined) throw invalidLine(line, `must name the column ${missing}`)
}

function entriesOf(
  cells: readonly string[],
  line: number,
  columns: ReadonlyMap<string, number>,
): ReadEntry[] {
  if (cells.length !== columns.size)
    throw invalidLine(line, `has ${cells.length} cells, but the header has ${columns.size}`)
  const cell = (column: Column) => cells[columns.get(column) ?? -1]?.trim() ?? ''
  const bookingDate = cell('booking_date')
  if (!isDate(bookingDate)) throw invalidLine(line, `must have a booking_date ${DATE_RULE}`)
  const currency = cell('currency')
  if (!isCurrency(currency)) throw invalidLine(line, 'must have an ISO 4217 currency')
  const amount = readAmount(currency, cell('amount'))
  if (typeof amount === 'string') throw invalidLine(line, `has an amount that ${amount}`)
  const debtorName = cell('debtor_name') || null
  const debtorIban = ibanOf(cell('debtor_iban'))
  const bankReference = cell('bank_reference') || null
  const remittance = cell('remittance')
  const problem = tooLong([debtorName, bankReference, remittance], [debtorIban])
  if (problem !== undefined) throw invalidLine(line, `has ${problem}`)
  if (!amount.isPositive()) return []
  return [
    {
      kind: 'credit',
      account: null,
      bookingDate,
      amount,
      debtorName,
      debtorIban,
      bankReference,
      endToEndId: null,
      remittance,
      returnedTo: null,
      isReferenceShared: false,
    },
  ]
}

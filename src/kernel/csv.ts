export interface Row {
  readonly cells: readonly string[]
  readonly next: number
}

/** Characters. A quote that is never closed would make the rest of a file one row. */
const MAX_ROW = 20_000

/** Reads one row, and never more than `maxLength` characters and one cell's end beyond them. */
export function readRow(text: string, offset: number, maxLength = MAX_ROW): Row | null {
  if (offset >= text.length) return null
  const broken = () => new CsvError(`the row at character ${offset} is not CSV`)
  const limit = offset + maxLength
  const cells: string[] = []
  for (let at = offset; ;) {
    const end = text.charCodeAt(at) === QUOTE ? endOfQuoted(text, at, limit) : endOfPlain(text, at, limit)
    if (end === undefined) throw broken()
    cells.push(cellOf(text, at, end))
    const after = text.charCodeAt(end)
    if (after === COMMA) at = end + 1
    else if (Number.isNaN(after)) return { cells, next: end }
    else if (after === NEW_LINE) return { cells, next: end + 1 }
    else if (after === RETURN && text.charCodeAt(end + 1) === NEW_LINE) return { cells, next: end + 2 }
    else throw broken()
  }
}

function endOfPlain(text: string, start: number, limit: number): number | undefined {
  for (let at = start; at <= limit; at++) {
    const code = text.charCodeAt(at)
    if (code === COMMA || code === NEW_LINE || code === RETURN || code === QUOTE || Number.isNaN(code))
      return at
  }
  return undefined
}

function endOfQuoted(text: string, start: number, limit: number): number | undefined {
  for (let at = start + 1; at <= limit && at < text.length; at++) {
    if (text.charCodeAt(at) !== QUOTE) continue
    if (text.charCodeAt(at + 1) !== QUOTE) return at + 1
    at++
  }
  return undefined
}

function cellOf(text: string, start: number, end: number): string {
  return text.charCodeAt(start) === QUOTE
    ? text.slice(start + 1, end - 1).replaceAll('""', '"')
    : text.slice(start, end)
}

const NEW_LINE = 0x0a
const RETURN = 0x0d
const QUOTE = 0x22
const COMMA = 0x2c

export class CsvError extends Error {}

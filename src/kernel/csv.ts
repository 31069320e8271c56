export interface Row {
  readonly cells: readonly string[]
  readonly next: number
}

const MAX_ROW = 20_000
const CELL = /"((?:[^"]|"")*)"|([^",\r\n]*)/y

export function readRow(text: string, offset: number): Row | null {
  if (offset >= text.length) return null
  const cells: string[] = []
  for (let at = offset; at - offset <= MAX_ROW;) {
    CELL.lastIndex = at
    const match = CELL.exec(text)
    if (match === null) break
    cells.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '')
    at = CELL.lastIndex
    if (text[at] === ',') at += 1
    else if (at >= text.length) return { cells, next: at }
    else if (text[at] === '\n') return { cells, next: at + 1 }
    else if (text.startsWith('\r\n', at)) return { cells, next: at + 2 }
    else break
  }
  throw new CsvError(`the row at character ${offset} is not CSV`)
}

export class CsvError extends Error {}

import { setImmediate } from 'node:timers/promises'
import type { StatementFormat } from '../model/bank-entry.ts'
import type { StatementEntry } from '../model/statement-entry.ts'
import { entryIdentifier, type ReadEntry } from './identify-entries.ts'
import { parseCamt053 } from './parse-camt053.ts'
import { parseStatementCsv } from './parse-statement-csv.ts'

const PARSERS: Readonly<Record<StatementFormat, (text: string) => Generator<readonly ReadEntry[]>>> = {
  camt053: parseCamt053,
  csv: parseStatementCsv,
}

/** Yields the entries of a piece of the statement at a time. Other requests get a turn between two pieces. */
export async function* readStatement(
  format: StatementFormat,
  content: string,
): AsyncGenerator<readonly StatementEntry[]> {
  const identify = entryIdentifier()
  for (const entries of PARSERS[format](content)) {
    yield entries.map(identify)
    await setImmediate()
  }
}

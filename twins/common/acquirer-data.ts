import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const { ACQUIRER_DATA } = process.env
const FOLDER = ACQUIRER_DATA ?? fileURLToPath(new URL('../../../shared/data', import.meta.url))

/** Part of the names of tests that need the data. A run counts the skipped ones by such words. */
export const NEEDS_DATA = '(needs ACQUIRER_DATA)'

/**
 * A file of the acquirers' own descriptions and recorded answers, which are no part of the repository: in the folder that
 * ACQUIRER_DATA names (empty: none), or else in `../shared/data` beside the repository. Undefined if it is absent.
 */
export function acquirerData(file: string): string | undefined {
  const path = `${FOLDER}/${file}`
  if (ACQUIRER_DATA !== '' && existsSync(path)) return path
  if (ACQUIRER_DATA) throw new Error(`${path} does not exist: correct or unset ACQUIRER_DATA`)
  return undefined
}

/** Rows of `test.each` from the data. Without the data there are as many empty rows, so that skipped tests are counted. */
export function countedRows<Row>(rows: readonly Row[], count: number): Row[] {
  if (rows.length === 0) return Array.from({ length: count }, () => [] as Row)
  if (rows.length !== count) throw new Error(`The data makes ${rows.length} tests instead of ${count}`)
  return [...rows]
}

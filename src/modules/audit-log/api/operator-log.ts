import { readPage } from '#platform/http/validation/list'
import { compileQuery } from '#platform/http/validation/validation'
import type { Database } from '#platform/postgres/database'
import { OPERATOR_CHAIN } from '../entries/entry.ts'
import { exportEntries } from './export-entries.ts'
import { entriesPage } from './list-entries.ts'
import { AuditEntriesQuery } from './schemas.ts'

const readQuery = compileQuery(AuditEntriesQuery)

export function operatorLog(db: Database) {
  return {
    page: (sent: Readonly<Record<string, unknown>>): Promise<object> => {
      const query = readQuery(sent) as { filter?: string; offset?: number; limit?: number; cursor?: string }
      const chain = { id: OPERATOR_CHAIN, timeZone: 'UTC' }
      return entriesPage(db, chain, query.filter, readPage('operator_entries', query))
    },
    export: (): AsyncIterable<string> => exportEntries(db, OPERATOR_CHAIN),
  }
}

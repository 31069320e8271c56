import { readPage } from '#platform/http/validation/list'
import { compileQuery } from '#platform/http/validation/validation'
import type { Database } from '#platform/postgres/database'
import { OPERATOR_CHAIN } from '../entries/entry.ts'
import { exportEntries } from '../entries/export-entries.ts'
import { entriesOfPage } from '../entries/read-entries.ts'
import { renderEntriesPage } from './render.ts'
import { AuditEntriesQuery } from './schemas.ts'

const readQuery = compileQuery(AuditEntriesQuery)

export function operatorLog(db: Database) {
  return {
    page: async (sent: Readonly<Record<string, unknown>>) => {
      const query = readQuery(sent) as { filter?: string; offset?: number; limit?: number; cursor?: string }
      const chain = { id: OPERATOR_CHAIN, timeZone: 'UTC' }
      const request = readPage('operator_entries', query)
      return renderEntriesPage(request, await entriesOfPage(db, chain, query.filter, request))
    },
    export: (): AsyncIterable<string> => exportEntries(db, OPERATOR_CHAIN),
  }
}

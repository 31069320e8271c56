import Type from 'typebox'
import { readPage } from '#platform/http/validation/list'
import { defineRoute, type Route } from '#platform/http/routes/route'
import { StreamedFile } from '#platform/http/routes/streamed-file'
import type { AuditLogDependencies } from '../dependencies.ts'
import { exportEntries } from '../entries/export-entries.ts'
import { auditEntriesOfPage } from '../entries/read-entries.ts'
import { renderEntriesPage } from './render.ts'
import { AuditEntriesData, AuditEntriesQuery } from './schemas.ts'

const PATH = '/svc/log/api/v1/openapi/audit_entries'
const TAG = 'Logs'

export function auditLogRoutes(deps: AuditLogDependencies): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: PATH,
      scope: 'logs:read',
      summary: 'List audit entries',
      description: 'One entry for each action. The export has every entry of the chain.',
      tag: TAG,
      query: AuditEntriesQuery,
      data: AuditEntriesData,
      handle: async ({ caller, query }) => {
        const request = readPage('audit_entries', query)
        return renderEntriesPage(request, await auditEntriesOfPage(deps, caller, query.filter, request))
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${PATH}/export.csv`,
      scope: 'logs:read',
      summary: 'Export the audit log as CSV with its hashes',
      description:
        '`hash` is the SHA-256, in hex, of `previous_hash`, a line feed, `sequence`, a line feed and `document`, in UTF-8.',
      tag: TAG,
      contentType: 'text/csv',
      data: Type.String(),
      handle: async ({ caller }) =>
        new StreamedFile('audit-log.csv', exportEntries(deps.db, caller.businessId)),
    }),
  ]
}

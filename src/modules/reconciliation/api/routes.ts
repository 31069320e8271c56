import { readPage } from '#platform/http/validation/list'
import { defineRoute, type Route } from '#platform/http/routes/route'
import { IdParams } from '#platform/http/validation/schemas'
import type { ReconciliationDependencies } from '../dependencies.ts'
import {
  entriesOfPage,
  reconciliationById,
  reconciliationsOfPage,
  reportOf,
} from '../read-reconciliations.ts'
import { startRuns } from '../run/start-runs.ts'
import { renderCsvReport } from './csv-report.ts'
import {
  renderEntriesPage,
  renderReconciliationData,
  renderReconciliationsPage,
  renderRuns,
} from './render.ts'
import {
  CsvReport,
  EntriesData,
  EntriesQuery,
  ReconciliationData,
  ReconciliationsData,
  ReconciliationsQuery,
  RunBody,
  RunsData,
} from './schemas.ts'

const PATH = '/svc/payment/api/v1/openapi/reconciliations'
const TAG = 'Reconciliation'

export function reconciliationRoutes(ctx: ReconciliationDependencies): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: PATH,
      scope: 'payments:read',
      summary: 'List reconciliations',
      description: 'One for each payout, and one for each day with lines that no payout pays yet.',
      tag: TAG,
      query: ReconciliationsQuery,
      data: ReconciliationsData,
      handle: async ({ caller, query }) => {
        const request = readPage('reconciliations', query)
        const found = await reconciliationsOfPage(ctx, caller, query.acquirer_account_id, request)
        return renderReconciliationsPage(request, found)
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${PATH}/run`,
      scope: 'payments:write',
      summary: 'Compare the books now',
      description: 'Each active account is compared once a day anyway.',
      tag: TAG,
      body: RunBody,
      example: { acquirer_account_id: 'acc_01m82g27rde57v77qfb3qj2d2m' },
      data: RunsData,
      handle: ({ caller, body }) => startRuns(ctx, caller, body.acquirer_account_id),
      render: renderRuns,
    }),
    defineRoute({
      method: 'GET',
      path: `${PATH}/:id`,
      scope: 'payments:read',
      summary: 'Get a reconciliation',
      tag: TAG,
      params: IdParams,
      data: ReconciliationData,
      handle: ({ caller, params }) => reconciliationById(ctx, caller, params.id),
      render: renderReconciliationData,
    }),
    defineRoute({
      method: 'GET',
      path: `${PATH}/:id/entries`,
      scope: 'payments:read',
      summary: 'List the lines of a reconciliation',
      tag: TAG,
      params: IdParams,
      query: EntriesQuery,
      data: EntriesData,
      handle: async ({ caller, params, query }) => {
        const request = readPage('reconciliation_entries', query)
        const entries = await entriesOfPage(ctx, caller, params.id, query.result, request)
        return renderEntriesPage(request, entries)
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${PATH}/:id/report.csv`,
      scope: 'payments:read',
      summary: 'Download the lines of a reconciliation as CSV',
      tag: TAG,
      params: IdParams,
      contentType: 'text/csv',
      data: CsvReport,
      handle: ({ caller, params }) => reportOf(ctx, caller, params.id),
      render: renderCsvReport,
    }),
  ]
}

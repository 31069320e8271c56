import { readPage } from '#platform/http/validation/list'
import { defineRoute, type Route } from '#platform/http/routes/route'
import { IdParams } from '#platform/http/validation/schemas'
import type { Reconciliations } from '../reconciliations.ts'
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

export function reconciliationRoutes(reconciliations: Reconciliations): Route[] {
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
      handle: ({ caller, query }) =>
        reconciliations.page(caller, query.acquirer_account_id, readPage('reconciliations', query)),
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
      handle: ({ caller, body }) => reconciliations.start(caller, body.acquirer_account_id),
    }),
    defineRoute({
      method: 'GET',
      path: `${PATH}/:id`,
      scope: 'payments:read',
      summary: 'Get a reconciliation',
      tag: TAG,
      params: IdParams,
      data: ReconciliationData,
      handle: ({ caller, params }) => reconciliations.byId(caller, params.id),
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
      handle: ({ caller, params, query }) =>
        reconciliations.entries(caller, params.id, query.result, readPage('reconciliation_entries', query)),
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
      handle: ({ caller, params }) => reconciliations.csvReport(caller, params.id),
    }),
  ]
}

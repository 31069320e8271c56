import { defineRoute, type Route } from '#platform/http/routes/route'
import { spreadsheet, SpreadsheetText } from '#platform/http/spreadsheets/spreadsheet'
import { rangeText } from '#platform/http/validation/date-range'
import { readAttention } from '../attention/read-attention.ts'
import type { ReportsDependencies } from '../dependencies.ts'
import { OverviewQuerySchema, readOverview } from '../overview/read-overview.ts'
import { readDaysOfTotals, readTotals } from '../totals/read-totals.ts'
import { DAY_COLUMNS } from './day-columns.ts'
import { renderTotals } from './render-totals.ts'
import { renderAttention, renderOverview } from './render.ts'
import {
  AttentionData,
  OverviewData,
  TotalsData,
  TotalsQuerySchema,
  TotalsSpreadsheetQuery,
} from './schemas.ts'

const BASE = '/svc/report/api/v1/openapi'
const TAG = 'Reports'

export function reportRoutes(deps: ReportsDependencies): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: `${BASE}/overview`,
      scope: 'reports:read',
      summary: 'Get the totals of the last days',
      description: 'Days are local days of the business. A change is counted about five seconds later.',
      tag: TAG,
      query: OverviewQuerySchema,
      data: OverviewData,
      handle: ({ caller, query }) => readOverview(deps, caller, query),
      render: renderOverview,
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/totals`,
      scope: 'reports:read',
      summary: 'Get the totals of a range of days',
      description:
        'Sums of local days of the business for each currency, beside those of the days with which they are compared. A change is counted about five seconds later.',
      tag: TAG,
      query: TotalsQuerySchema,
      data: TotalsData,
      handle: ({ caller, query }) => readTotals(deps, caller, query),
      render: renderTotals,
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/totals/spreadsheet.csv`,
      scope: 'reports:read',
      summary: 'Download the totals of each day of a range as a spreadsheet',
      tag: TAG,
      query: TotalsSpreadsheetQuery,
      contentType: 'text/csv',
      data: SpreadsheetText,
      handle: async ({ caller, query }) => {
        const { range, pages } = await readDaysOfTotals(deps, caller, query)
        return spreadsheet(`totals-${rangeText(range)}`, DAY_COLUMNS, query, pages)
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/attention`,
      scope: 'reports:read',
      summary: 'Get what needs a person',
      tag: TAG,
      data: AttentionData,
      handle: ({ caller }) => readAttention(deps, caller),
      render: renderAttention,
    }),
  ]
}

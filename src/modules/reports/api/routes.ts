import { defineRoute, type Route } from '#platform/http/routes/route'
import { readAttention } from '../attention/read-attention.ts'
import type { ReportsDependencies } from '../dependencies.ts'
import { readOverview } from '../overview/read-overview.ts'
import { renderAttention, renderOverview } from './render.ts'
import { AttentionData, OverviewData, OverviewQuerySchema } from './schemas.ts'

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

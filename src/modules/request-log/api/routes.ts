import { readPage } from '#platform/http/validation/list'
import { defineRoute, type Route } from '#platform/http/routes/route'
import type { RequestLogDependencies } from '../dependencies.ts'
import { requestById, requestsOfPage } from '../requests/read-requests.ts'
import { renderRequestData, renderRequestsPage } from './render.ts'
import { RequestData, RequestParams, RequestsData, RequestsQuery } from './schemas.ts'

const PATH = '/svc/log/api/v1/openapi/requests'
const TAG = 'Logs'

export function requestLogRoutes(deps: Pick<RequestLogDependencies, 'db' | 'businesses'>): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: PATH,
      scope: 'logs:read',
      summary: 'List API requests',
      description: 'A request appears within a second of its reply.',
      tag: TAG,
      query: RequestsQuery,
      data: RequestsData,
      handle: async ({ caller, query }) => {
        const request = readPage('requests', query)
        return renderRequestsPage(request, await requestsOfPage(deps, caller, query.filter, request))
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${PATH}/:request_id`,
      scope: 'logs:read',
      summary: 'Get an API request with its bodies',
      description: 'The newest, where several requests have the same id.',
      tag: TAG,
      params: RequestParams,
      data: RequestData,
      handle: ({ caller, params }) => requestById(deps, caller, params.request_id),
      render: renderRequestData,
    }),
  ]
}

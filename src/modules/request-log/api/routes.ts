import { readPage } from '#platform/http/validation/list'
import { defineRoute, type Route } from '#platform/http/routes/route'
import type { RequestLog } from '../request-log.ts'
import { RequestData, RequestParams, RequestsData, RequestsQuery } from './schemas.ts'

const PATH = '/svc/log/api/v1/openapi/requests'
const TAG = 'Logs'

export function requestLogRoutes(requestLog: RequestLog): Route[] {
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
      handle: ({ caller, query }) => requestLog.page(caller, query.filter, readPage('requests', query)),
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
      handle: ({ caller, params }) => requestLog.byRequestId(caller, params.request_id),
    }),
  ]
}

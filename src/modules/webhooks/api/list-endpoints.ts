import type { Caller } from '#platform/caller'
import type { Database } from '#platform/postgres/database'
import { type Page, type PageRequest, renderPage } from '#platform/http/validation/list'
import { renderEndpoint } from '../endpoints/endpoint.ts'
import { listEndpoints } from '../storage/endpoint.repository.ts'

export async function endpointsPage(
  db: Database,
  caller: Caller,
  request: PageRequest,
): Promise<{ endpoints: object[]; page: Page }> {
  const list = await listEndpoints(db, caller.businessId, request)
  const { rows, page } = renderPage(request, list, ({ createdAt: at, id }) => ({ at, id }), renderEndpoint)
  return { endpoints: rows, page }
}

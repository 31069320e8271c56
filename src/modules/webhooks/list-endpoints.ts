import type { Caller } from '#platform/caller'
import type { Database } from '#platform/database'
import { type Page, pageOf, type PageRequest } from '#platform/http/list'
import { renderEndpoint } from './endpoint.ts'
import { listEndpoints as selectEndpoints } from './endpoint.repository.ts'

/** The name that cursors of this list carry. */
export const ENDPOINTS_LIST = 'endpoints'

/** Endpoints of the caller's business, newest first, without their secrets. */
export async function listEndpoints(
  db: Database,
  caller: Caller,
  request: PageRequest,
): Promise<{ endpoints: object[]; page: Page }> {
  const found = await selectEndpoints(db, caller.businessId, request)
  const { rows, page } = pageOf(ENDPOINTS_LIST, request, found, ({ createdAt: at, id }) => ({ at, id }))
  return { endpoints: rows.map(renderEndpoint), page }
}

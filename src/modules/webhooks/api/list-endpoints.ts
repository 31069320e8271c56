import type { Caller } from '#platform/caller'
import { filterCondition } from '#platform/filter/filter-condition'
import { type Page, type PageRequest, renderPage } from '#platform/http/validation/list'
import { renderEndpoint } from '../endpoints/endpoint.ts'
import type { WebhooksDependencies } from '../dependencies.ts'
import { ENDPOINT_FIELDS, listEndpoints } from '../storage/endpoint.repository.ts'

export async function endpointsPage(
  { db, businesses }: Pick<WebhooksDependencies, 'db' | 'businesses'>,
  { businessId }: Caller,
  filter: string | undefined,
  request: PageRequest,
): Promise<{ endpoints: object[]; page: Page }> {
  const condition =
    filter === undefined
      ? undefined
      : filterCondition(filter, ENDPOINT_FIELDS, (await businesses.profile(businessId)).timeZone)
  const list = await listEndpoints(db, businessId, condition, request)
  const { rows, page } = renderPage(request, list, ({ createdAt: at, id }) => ({ at, id }), renderEndpoint)
  return { endpoints: rows, page }
}

import type { Caller } from '#platform/caller'
import { filterCondition } from '#platform/filter/filter-condition'
import type { PageRequest } from '#platform/http/validation/list'
import type { WebhooksContext } from '../context.ts'
import { ENDPOINT_FIELDS, listEndpoints } from '../storage/endpoint.repository.ts'
import type { Endpoint } from '../model/endpoint.ts'

export async function endpointsOfPage(
  { db, businesses }: WebhooksContext,
  { businessId }: Caller,
  filter: string | undefined,
  request: PageRequest,
): Promise<Endpoint[]> {
  const { timeZone } = await businesses.profile(businessId)
  const condition = filterCondition(filter, ENDPOINT_FIELDS, timeZone)
  return listEndpoints(db, businessId, condition, request)
}

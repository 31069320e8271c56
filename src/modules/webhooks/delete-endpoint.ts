import type { Caller } from '#platform/caller'
import { renderEndpoint } from './endpoint.ts'
import { deleteEndpoint as removeEndpoint } from './endpoint.repository.ts'
import { errors } from './errors.ts'
import type { WebhooksNeeds } from './needs.ts'

/** Removes a receiver. What was still waiting for it is exhausted when it comes due. Throws 404. */
export function deleteEndpoint(
  needs: WebhooksNeeds,
  caller: Caller,
  endpointId: string,
): Promise<{ endpoint: object }> {
  return needs.db.transact(caller.businessId, async (tx) => {
    const endpoint = await removeEndpoint(tx, endpointId)
    if (endpoint === undefined) throw errors.endpoint_not_found({ param: 'id' })
    return { endpoint: { ...renderEndpoint(endpoint), state: 'deleted' } }
  })
}

import { realClock } from '#kernel/clock'
import type { Caller } from '#platform/caller'
import { scheduleJob } from '#platform/jobs/jobs'
import { DELIVERIES } from '../job-kinds.ts'
import { laneOf } from '../delivery/delivery.ts'
import { renderEndpoint } from './endpoint.ts'
import { deleteEndpoint as removeEndpoint, findUrl } from '../storage/endpoint.repository.ts'
import { errors } from '../api/errors.ts'
import type { WebhooksDependencies } from '../dependencies.ts'
import { hastenRetries } from '../storage/queue.repository.ts'

/** Removes a receiver. What was still waiting for it is exhausted at once. Throws 404. */
export function deleteEndpoint(
  deps: WebhooksDependencies,
  caller: Caller,
  endpointId: string,
): Promise<{ endpoint: object }> {
  return deps.db.transact(caller.businessId, async (tx) => {
    const url = await findUrl(tx, endpointId)
    // Deliveries are locked before their endpoint, as where a 410 is recorded.
    const hastened = url === undefined ? 0 : await hastenRetries(tx, [{ endpointId, lane: laneOf(url) }])
    const endpoint = await removeEndpoint(tx, endpointId)
    if (endpoint === undefined) throw errors.endpoint_not_found()
    if (hastened > 0) await scheduleJob(tx, DELIVERIES, realClock.now(), 'real')
    return { endpoint: { ...renderEndpoint(endpoint), state: 'deleted' } }
  })
}

import { realClock } from '#kernel/clock'
import type { Caller } from '#platform/caller'
import { scheduleJob } from '#platform/jobs/jobs'
import { DELIVERIES } from '../job-names.ts'
import { receiverKey } from '../model/receiver-key.ts'
import type { Endpoint } from '../model/endpoint.ts'
import { deleteEndpointRow, findUrl } from '../storage/endpoint.repository.ts'
import { errors } from '../errors.ts'
import type { WebhooksContext } from '../context.ts'
import { expediteRetries } from '../storage/queue.repository.ts'

export function deleteEndpoint(ctx: WebhooksContext, caller: Caller, endpointId: string): Promise<Endpoint> {
  return ctx.db.transact(caller.businessId, async (tx) => {
    const url = await findUrl(tx, endpointId)
    // Deliveries are locked before their endpoint, as when a 410 is recorded.
    const expedited =
      url === undefined ? 0 : await expediteRetries(tx, [{ endpointId, receiver: receiverKey(url) }])
    const endpoint = await deleteEndpointRow(tx, endpointId)
    if (endpoint === undefined) throw errors.endpoint_not_found()
    if (expedited > 0) await scheduleJob(tx, DELIVERIES, realClock.now(), 'real')
    return endpoint
  })
}

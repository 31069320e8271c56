import { realClock } from '#kernel/clock'
import type { Caller } from '#platform/caller'
import type { PageRequest } from '#platform/http/validation/list'
import { scheduleJob } from '#platform/jobs/jobs'
import { defineModule } from '#platform/module'
import type { Tx } from '#platform/postgres/database'
import { webhookRoutes } from './api/routes.ts'
import { verifyWebhooks } from './audit/verify.ts'
import type { WebhooksContext } from './context.ts'
import { deliveryIdsPage, type DeliverySelection } from './lists/list-deliveries.ts'
import type { WebhooksDependencies } from './dependencies.ts'
import { rewrapEndpointSecrets } from './endpoints/rewrap.ts'
import { errors } from './errors.ts'
import { DELIVERIES } from './job-names.ts'
import { purgeJob } from './jobs.ts'
import { DeliveryWorker } from './queue/delivery-worker.ts'
import { observeEvents } from './queue/fan-out.ts'
import { previewRedelivery, redeliver } from './queue/redeliver.ts'
import { deliveriesOfEvents } from './storage/delivery.repository.ts'
import { findFailingReceivers } from './storage/endpoint.repository.ts'
import { DELIVERIES_TABLE } from './storage/partitions.ts'
import { WEBHOOKS_PERSONAL_DATA } from './storage/personal-data.ts'

export const webhooksModule = defineModule({
  name: 'webhooks',
  errors: errors.catalogue,
  verify: verifyWebhooks,
  rewraps: [rewrapEndpointSecrets],
  personalData: WEBHOOKS_PERSONAL_DATA,
  connect: (deps: WebhooksDependencies) => {
    const ctx = contextOf(deps)
    observeEvents(ctx)
    return {
      webhooks: webhooksOf(ctx),
      routes: webhookRoutes(ctx),
      jobs: [purgeJob(ctx.db)],
      workers: [ctx.worker],
      partitionedTables: [DELIVERIES_TABLE],
    }
  },
})

export type Webhooks = ReturnType<typeof webhooksOf>

function webhooksOf(ctx: WebhooksContext) {
  return {
    deliveriesOfEvents,
    failingReceivers: findFailingReceivers,
    onClockMoved,
    deliveryIds: (caller: Caller, selection: DeliverySelection, request: PageRequest) =>
      deliveryIdsPage(ctx, caller, selection, request),
    redeliver: (caller: Caller, deliveryId: string) => redeliver(ctx, caller, deliveryId),
    previewRedelivery: (caller: Caller, deliveryId: string) => previewRedelivery(ctx, caller, deliveryId),
  }
}

export async function onClockMoved(tx: Tx): Promise<void> {
  await scheduleJob(tx, DELIVERIES, realClock.now(), 'real')
}

export function contextOf(deps: WebhooksDependencies): WebhooksContext {
  return { ...deps, worker: new DeliveryWorker(deps) }
}

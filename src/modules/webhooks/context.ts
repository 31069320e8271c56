import type { WebhooksDependencies } from './dependencies.ts'
import type { DeliveryWorker } from './queue/delivery-worker.ts'

export interface WebhooksContext extends WebhooksDependencies {
  readonly worker: DeliveryWorker
}

import { defineModule } from '#platform/module'
import { errors } from './api/errors.ts'
import { webhookRoutes } from './api/routes.ts'
import { verifyWebhooks } from './audit/verify.ts'
import type { WebhooksDependencies } from './dependencies.ts'
import { rewrapEndpointSecrets } from './endpoints/rewrap.ts'
import { DELIVERIES_TABLE } from './storage/partitions.ts'
import { WEBHOOKS_PERSONAL_DATA } from './storage/personal-data.ts'
import { Webhooks } from './webhooks.ts'

export const webhooksModule = defineModule({
  name: 'webhooks',
  errors: errors.catalogue,
  verify: verifyWebhooks,
  rewraps: [rewrapEndpointSecrets],
  personalData: WEBHOOKS_PERSONAL_DATA,
  connect: (deps: WebhooksDependencies) => {
    const webhooks = new Webhooks(deps)
    return {
      webhooks,
      routes: webhookRoutes(webhooks),
      jobs: webhooks.jobs,
      workers: [webhooks],
      partitionedTables: [DELIVERIES_TABLE],
    }
  },
})

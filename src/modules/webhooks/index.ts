export { createAttemptMetrics } from './attempt-metrics.ts'
export { MESSAGE_SCHEMAS } from './delivery/message-schemas.ts'
export { Webhooks } from './webhooks.ts'
export { webhooksModule } from './module.ts'

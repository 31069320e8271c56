export { createAttemptMetrics } from './attempt-metrics.ts'
export { MESSAGE_SCHEMAS } from './delivery/message-schemas.ts'
export { type Webhooks, webhooksModule } from './module.ts'

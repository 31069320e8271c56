export { errors as webhookErrors } from './errors.ts'
export type { ReceiverSource } from './needs.ts'
export { webhookRoutes } from './routes.ts'
export { Webhooks } from './webhooks.ts'

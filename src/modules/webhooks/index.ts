export { errors as webhookErrors } from './errors.ts'
export { rewrapEndpointSecrets } from './rewrap.ts'
export { webhookRoutes } from './routes.ts'
export { Webhooks } from './webhooks.ts'

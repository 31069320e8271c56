export { reconciliationRoutes } from './api/routes.ts'
export { reconciliationModule } from './module.ts'

export { errors as reconciliationErrors } from './api/errors.ts'
export { reconciliationRoutes } from './api/routes.ts'
export { verifyReconciliations } from './audit/verify.ts'
export { Reconciliations } from './reconciliations.ts'

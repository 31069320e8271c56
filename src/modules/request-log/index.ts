export { errors as requestLogErrors } from './api/errors.ts'
export { requestLogRoutes } from './api/routes.ts'
export { RequestLog } from './request-log.ts'

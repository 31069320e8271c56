export { errors as requestLogErrors } from './api/errors.ts'
export { requestLogRoutes } from './api/routes.ts'
export { RequestLog } from './request-log.ts'
export { REQUEST_LOG_PERSONAL_DATA } from './storage/personal-data.ts'

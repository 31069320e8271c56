export { reportRoutes } from './api/routes.ts'
export { verifyReports } from './audit/verify.ts'
export { Reports } from './reports.ts'

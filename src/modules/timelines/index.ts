export { timelineRoutes } from './api/routes.ts'
export { Timelines } from './timelines.ts'

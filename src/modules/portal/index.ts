export { portalModule } from './module.ts'
export { PORTAL_PATH } from './sessions/authenticate.ts'

export { errors as sandboxErrors } from './errors.ts'
export { sandboxRoutes } from './routes.ts'
export { SandboxClock } from './sandbox-clock.ts'

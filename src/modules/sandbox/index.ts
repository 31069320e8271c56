export { errors as sandboxErrors } from './errors.ts'
export { END_ADVANCE_LEASES } from './repository.ts'
export { sandboxRoutes } from './routes.ts'
export { SandboxClock } from './sandbox-clock.ts'

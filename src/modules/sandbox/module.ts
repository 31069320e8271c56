import { defineModule } from '#platform/module'
import { errors } from './errors.ts'
import { renderClock } from './api/render.ts'
import { sandboxRoutes } from './api/routes.ts'
import { verifySandbox } from './audit/verify.ts'
import { SandboxClock } from './clock/sandbox-clock.ts'
import type { SandboxDependencies } from './dependencies.ts'
import { END_ADVANCE_LEASES } from './storage/repository.ts'

export const sandboxModule = defineModule({
  name: 'sandbox',
  errors: errors.catalogue,
  verify: verifySandbox,
  endLeases: END_ADVANCE_LEASES,
  connect: (deps: SandboxDependencies) => {
    const clock = new SandboxClock({ ...deps, present: { clock: renderClock } })
    return { clock, routes: sandboxRoutes(clock, deps), jobs: [clock.job] }
  },
})

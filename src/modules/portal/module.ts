import type { AuthenticationRequest } from '#platform/http/authorization'
import { defineModule } from '#platform/module'
import { portalRoutes } from './api/portal.routes.ts'
import { settingsRoutes } from './api/settings.routes.ts'
import type { PortalDependencies } from './dependencies.ts'
import { errors } from './errors.ts'
import { authenticate } from './sessions/authenticate.ts'
import { PORTAL_PERSONAL_DATA } from './storage/personal-data.ts'

export const portalModule = defineModule({
  name: 'portal',
  errors: errors.catalogue,
  personalData: PORTAL_PERSONAL_DATA,
  connect: (deps: PortalDependencies) => ({
    authenticateVisitor: (request: AuthenticationRequest) => authenticate(deps, request),
    routes: [...settingsRoutes(deps), ...portalRoutes(deps)],
  }),
})

import type { AuthenticationRequest } from '#platform/http/authorization'
import { defineModule } from '#platform/module'
import { verifyPortal } from './audit/verify.ts'
import { portalRoutes } from './api/portal.routes.ts'
import { settingsRoutes } from './api/settings.routes.ts'
import type { PortalDependencies } from './dependencies.ts'
import { errors } from './errors.ts'
import { operationsOf } from './pages/operations.ts'
import { portalPages } from './pages/routes.ts'
import { styleAsset } from './pages/style.ts'
import { authenticate } from './sessions/authenticate.ts'
import { portalLinks } from './sessions/message-links.ts'
import { PORTAL_PERSONAL_DATA } from './storage/personal-data.ts'

export const portalModule = defineModule({
  name: 'portal',
  errors: errors.catalogue,
  verify: verifyPortal,
  personalData: PORTAL_PERSONAL_DATA,
  connect: (deps: PortalDependencies) => {
    const ctx = { ...deps, style: styleAsset.path }
    deps.messages.onPortalLink(portalLinks(ctx))
    const routes = portalRoutes(ctx)
    const operations = operationsOf(routes, deps.audit, () => deps.keyring.derivedKeys('idempotency'))
    return {
      authenticateVisitor: (request: AuthenticationRequest) => authenticate(ctx, request),
      routes: [...settingsRoutes(ctx), ...routes],
      pages: portalPages(ctx, operations),
    }
  },
})

import type { FastifyInstance } from 'fastify'
import { createLimit } from '#platform/http/rate-limit'
import type { UsersContext } from '../context.ts'
import { registerAuthRoutes } from './auth-routes.ts'
import { registerLinkRoutes } from './link-routes.ts'
import { registerListSettingsRoutes } from './list-settings-routes.ts'
import { registerOperatorRoutes } from './operator-routes.ts'
import { registerSessionRoutes } from './session-routes.ts'
import { registerTrustedDeviceRoutes } from './trusted-device-routes.ts'
import { visitorsOf } from './visitor.ts'

/** The limit of reference/access#rate-limits. */
const SIGN_IN_REQUESTS_OF_ADDRESS_A_MINUTE = 300

export function sessionApi(ctx: UsersContext): (app: FastifyInstance) => void {
  const { signIn } = ctx
  return (app) => {
    void app.register(async (anonymous) => {
      anonymous.addHook('onRequest', createLimit(anonymous, { max: SIGN_IN_REQUESTS_OF_ADDRESS_A_MINUTE }))
      registerAuthRoutes(anonymous, ctx, signIn)
      registerLinkRoutes(anonymous, ctx, signIn)
    })
    const visitors = visitorsOf(ctx, signIn)
    registerSessionRoutes(app, ctx, signIn, visitors)
    registerTrustedDeviceRoutes(app, ctx, signIn, visitors)
    registerListSettingsRoutes(app, ctx, visitors)
    registerOperatorRoutes(app, ctx, visitors)
  }
}

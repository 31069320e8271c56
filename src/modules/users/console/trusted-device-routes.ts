import type { FastifyInstance } from 'fastify'
import { recordAccess } from '../access-log/access-log.ts'
import { errors } from '../errors.ts'
import type { UsersDependencies } from '../dependencies.ts'
import { hashOfToken } from '../model/token.ts'
import { cookiePrefix, readSignedCookie } from '../sign-in/session-cookie.ts'
import { TRUSTED_DEVICE_COOKIE } from '../model/auth-names.ts'
import type { SignIn } from '../sign-in/sign-in.ts'
import { deleteTrustedDevice, trustedDevicesOf } from '../storage/trusted-device.repository.ts'
import { renderTrustedDevice } from './render.ts'
import { json } from './session-routes.ts'
import type { Visitors } from './visitor.ts'

const PATH = '/console/api/trusted_devices'

export function registerTrustedDeviceRoutes(
  app: FastifyInstance,
  deps: UsersDependencies,
  signIn: SignIn,
  { baseOf, sessionOf }: Visitors,
): void {
  const { shared } = deps.db

  app.get(PATH, async (request, reply) => {
    const { userId } = await sessionOf(request)
    const cookie = `${cookiePrefix(baseOf(request))}.${TRUSTED_DEVICE_COOKIE}`
    const token = readSignedCookie(request.headers, cookie, await signIn.secret())
    const currentHash = token === undefined ? undefined : hashOfToken(token)
    const devices = await trustedDevicesOf(shared, userId)
    return json(reply, {
      trusted_devices: devices.map((device) => renderTrustedDevice(device, currentHash)),
    })
  })

  app.delete<{ Params: { id: string } }>(`${PATH}/:id`, async (request, reply) => {
    const { userId } = await sessionOf(request)
    const { id } = request.params
    if (!(await deleteTrustedDevice(shared, userId, id))) throw errors.trusted_device_not_found()
    const object = { type: 'trusted_devices', id }
    await recordAccess(deps, request, { userId, action: 'trusted_devices.delete', object })
    return json(reply, {})
  })
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static, type TObject } from 'typebox'
import { realClock, toRfc3339 } from '#kernel/clock'
import { CommandError, prepareBusiness } from '#modules/businesses'
import { OneOf, strictObject, Text } from '#platform/http/validation/schemas'
import { isStorable } from '#platform/http/validation/strings'
import { compileBody } from '#platform/http/validation/validation'
import { VERSION } from '#platform/version'
import { recordAccess } from '../access-log/access-log.ts'
import { errors } from '../errors.ts'
import type { UsersDependencies } from '../dependencies.ts'
import { LOCALES } from '../mail/messages.ts'
import { OIDC_PROVIDER } from '../model/auth-names.ts'
import type { SignIn } from '../sign-in/sign-in.ts'
import { allBusinesses, membershipsOf, putMembership } from '../storage/membership.repository.ts'
import { deleteSession, deleteSessions, sessionsOf } from '../storage/session.repository.ts'
import { updateProfile, usersExist } from '../storage/user.repository.ts'
import { renderMembership, renderSession, renderSessionUser } from './render.ts'
import type { Visitors } from './visitor.ts'

const BASE = '/console/api'

const ProfileBody = strictObject({
  name: Type.Optional(Text({ max: 255 })),
  locale: Type.Optional(OneOf(LOCALES)),
})
const BusinessBody = strictObject({
  name: Text({ max: 255 }),
  time_zone: Type.Optional(Text({ max: 64 })),
  currency: Type.Optional(Text({ max: 3 })),
})

export function registerSessionRoutes(
  app: FastifyInstance,
  deps: UsersDependencies,
  signIn: SignIn,
  { baseOf, sessionOf, operatorOf }: Visitors,
): void {
  const { shared } = deps.db
  const settings = async () => ({
    oidc: deps.oidc === undefined ? [] : [{ id: OIDC_PROVIDER, name: deps.oidc.name }],
    passkeys: true,
    mail: deps.mailer !== undefined,
    needs_setup: !(await usersExist(shared)),
    version: VERSION,
  })

  app.get(`${BASE}/settings`, async (_request, reply) => json(reply, { settings: await settings() }))

  app.get(`${BASE}/session`, async (request, reply) => {
    const user = await sessionOf(request)
    await prolong(request, reply)
    const [memberships, shown] = await Promise.all([membershipsOf(shared, user.userId), settings()])
    return json(reply, {
      user: renderSessionUser(user),
      memberships: memberships.map((membership) => renderMembership(membership, user.operator)),
      settings: shown,
    })
  })

  async function prolong(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const auth = await signIn.at(baseOf(request))
    const { headers } = await auth.api.getSession({
      headers: new Headers({ cookie: request.headers.cookie ?? '' }),
      returnHeaders: true,
    })
    for (const cookie of headers.getSetCookie()) reply.header('set-cookie', cookie)
  }

  const readProfile = bodyReader(ProfileBody)
  app.put(`${BASE}/profile`, async (request, reply) => {
    const user = await sessionOf(request)
    const profile = readProfile(request)
    await updateProfile(shared, user.userId, profile)
    const object = { type: 'users', id: user.userId }
    await recordAccess(deps, request, { userId: user.userId, action: 'users.update', object, after: profile })
    return json(reply, { user: renderSessionUser({ ...user, ...profile }) })
  })

  app.get(`${BASE}/sessions`, async (request, reply) => {
    const user = await sessionOf(request)
    const sessions = await sessionsOf(shared, user.userId, toRfc3339(realClock.now()))
    return json(reply, { sessions: sessions.map((session) => renderSession(session, user.sessionId)) })
  })

  app.delete(`${BASE}/sessions`, async (request, reply) => {
    const user = await sessionOf(request)
    const ended = await deleteSessions(shared, user.userId, user.sessionId)
    await recordAccess(deps, request, { userId: user.userId, action: 'sessions.delete', after: { ended } })
    return json(reply, { ended })
  })

  app.delete<{ Params: { id: string } }>(`${BASE}/sessions/:id`, async (request, reply) => {
    const user = await sessionOf(request)
    const { id } = request.params
    if (!isStorable(id) || !(await deleteSession(shared, user.userId, id))) throw errors.session_not_found()
    const object = { type: 'sessions', id }
    await recordAccess(deps, request, { userId: user.userId, action: 'sessions.delete', object })
    return json(reply, {})
  })

  app.get(`${BASE}/businesses`, async (request, reply) => {
    const user = await operatorOf(request)
    const businesses = await allBusinesses(shared, user.userId)
    return json(reply, { businesses: businesses.map((business) => renderMembership(business, true)) })
  })

  const readBusiness = bodyReader(BusinessBody)
  app.post(`${BASE}/businesses`, async (request, reply) => {
    const user = await operatorOf(request)
    const business = prepared(readBusiness(request))
    await deps.businesses.create(business)
    await putMembership(shared, {
      businessCode: business.code,
      userId: user.userId,
      roles: { test: 'owner', live: 'owner' },
    })
    const { code, name } = business
    await recordAccess(deps, request, {
      userId: user.userId,
      action: 'businesses.create',
      object: { type: 'businesses', id: code },
      after: { name },
    })
    return json(reply, { business: { code, name }, app_id: business.appId, api_key: business.apiKey })
  })
}

export function json(reply: FastifyReply, body: object): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(body))
}

export function bodyReader<Body extends TObject>(schema: Body): (request: FastifyRequest) => Static<Body> {
  const read = compileBody(schema)
  return (request) => read(Buffer.isBuffer(request.body) ? request.body : undefined) as Static<Body>
}

function prepared({ name, time_zone, currency }: Static<typeof BusinessBody>) {
  try {
    return prepareBusiness({
      name,
      ...(time_zone !== undefined && { timeZone: time_zone }),
      ...(currency !== undefined && { currency }),
    })
  } catch (error) {
    if (error instanceof CommandError) throw errors.business_not_valid({ message: error.message })
    throw error
  }
}

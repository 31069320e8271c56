import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { toRfc3339 } from '#kernel/clock'
import { newId } from '#kernel/ids'
import { violates } from '#platform/postgres/database-errors'
import { platformErrors } from '#platform/errors'
import { OneOf, strictObject, Text } from '#platform/http/validation/schemas'
import { recordAccess, recordLock } from '../access-log/access-log.ts'
import { isEmail } from '../accounts/create-user.ts'
import { setUp } from '../accounts/setup-link.ts'
import { errors } from '../errors.ts'
import type { UsersDependencies } from '../dependencies.ts'
import { hashOfToken } from '../model/token.ts'
import { LOCALES } from '../mail/messages.ts'
import { hasSessionCookie } from '../sign-in/session-cookie.ts'
import { requireSession } from '../sessions/console-session.ts'
import { consoleBase, requireOwnOrigin } from '../sessions/own-origin.ts'
import { startSession } from '../sessions/start-session.ts'
import { type Attempt, countAttempts, returnAttempts } from '../attempts/attempts.ts'
import { hashPassword, isPasswordLength } from '../sign-in/password.ts'
import type { SignIn } from '../sign-in/sign-in.ts'
import {
  acceptInvitation,
  findOpenInvitation,
  type OpenInvitation,
} from '../storage/invitation.repository.ts'
import { tenantOf } from '../storage/membership.repository.ts'
import { deleteSession } from '../storage/session.repository.ts'
import { isSetupLink } from '../storage/setup.repository.ts'
import { findUserByEmail, insertUser } from '../storage/user.repository.ts'
import { bodyReader, json } from './session-routes.ts'

const BASE = '/console/api'
/** Only bounds the request. A password that is too long has an error of its own. */
const MAX_PASSWORD = 1_000

const SetupBody = strictObject({
  token: Text({ max: 100 }),
  name: Text({ max: 255 }),
  email: Text({ max: 254 }),
  password: Text({ max: MAX_PASSWORD }),
  locale: Type.Optional(OneOf(LOCALES)),
})
const AcceptBody = strictObject({
  name: Type.Optional(Text({ max: 255 })),
  password: Type.Optional(Text({ max: MAX_PASSWORD })),
  locale: Type.Optional(OneOf(LOCALES)),
})

type Shared = UsersDependencies['db']['shared']

export function registerLinkRoutes(app: FastifyInstance, deps: UsersDependencies, signIn: SignIn): void {
  registerSetup(app, deps, signIn)
  registerInvitations(app, deps, signIn)
}

function registerSetup(app: FastifyInstance, deps: UsersDependencies, signIn: SignIn): void {
  const { shared } = deps.db
  app.get<{ Params: { token: string } }>(`${BASE}/setup/:token`, (request, reply) =>
    limited(deps, request, async () => {
      if (!(await isSetupLink(shared, hashOfToken(request.params.token))))
        throw errors.one_time_link_not_found()
      return json(reply, {})
    }),
  )

  const readSetup = bodyReader(SetupBody)
  app.post(`${BASE}/setup`, (request, reply) =>
    limited(deps, request, async () => {
      const { token, name, password, locale = 'en', ...body } = readSetup(request)
      const email = body.email.trim().toLowerCase()
      if (!isEmail(email))
        throw platformErrors.invalid_member({ param: 'email', message: 'email must be an e-mail address.' })
      const user = { name, email, locale, passwordHash: await hashOf(password) }
      const id = await setUp(deps, token, user)
      if (id === undefined) throw errors.one_time_link_not_found()
      await recordAccess(deps, request, {
        userId: id,
        action: 'setup_links.use',
        object: { type: 'users', id },
        after: { email, operator: true },
      })
      await startSession(signIn, baseOf(deps, request), id, { request, reply })
      return json(reply, {})
    }),
  )
}

function registerInvitations(app: FastifyInstance, deps: UsersDependencies, signIn: SignIn): void {
  const { shared } = deps.db
  app.get<{ Params: { token: string } }>(`${BASE}/invitations/:token`, (request, reply) =>
    limited(deps, request, async () => {
      const invitation = await openInvitation(shared, hashOfToken(request.params.token))
      const user = await findUserByEmail(shared, invitation.email)
      return json(reply, {
        invitation: {
          email: invitation.email,
          business: { code: invitation.businessCode, name: invitation.businessName },
          test_role: invitation.testRole,
          live_role: invitation.liveRole,
          expires_at: toRfc3339(invitation.expiresAt),
          has_account: user !== undefined,
        },
      })
    }),
  )

  const readAccept = bodyReader(AcceptBody)
  app.post<{ Params: { token: string } }>(`${BASE}/invitations/:token/accept`, (request, reply) =>
    limited(deps, request, async () => {
      const hash = hashOfToken(request.params.token)
      const invitation = await openInvitation(shared, hash)
      const base = baseOf(deps, request)
      const session = hasSessionCookie(request.headers, base)
        ? await requireSession(shared, request.headers, base, await signIn.secret()).catch(() => undefined)
        : undefined
      if (session !== undefined && session.email !== invitation.email) throw errors.invitation_for_another()
      const userId = session?.userId ?? (await newUser(shared, invitation, readAccept(request)))
      if (!(await acceptInvitation(shared, hash, userId))) throw errors.one_time_link_not_found()
      await recordAcceptance(deps, request, invitation, userId)
      await startSession(signIn, base, userId, { request, reply })
      if (session !== undefined) await deleteSession(shared, userId, session.sessionId)
      return json(reply, { business: { code: invitation.businessCode, name: invitation.businessName } })
    }),
  )
}

function baseOf(deps: UsersDependencies, request: FastifyRequest): string {
  return consoleBase(request.headers, deps.publicUrl())
}

/** Counts the attempts of an address, and takes back those that succeed. */
async function limited<T>(
  deps: UsersDependencies,
  request: FastifyRequest,
  work: () => Promise<T>,
): Promise<T> {
  const { shared } = deps.db
  requireOwnOrigin(request.method, request.headers, baseOf(deps, request))
  const attempts: Attempt[] = [{ kind: 'address', of: request.ip }]
  await countAttempts(shared, attempts, (attempt) => recordLock(deps, request, attempt))
  const done = await work()
  await returnAttempts(shared, attempts)
  return done
}

async function openInvitation(shared: Shared, hash: string): Promise<OpenInvitation> {
  const invitation = await findOpenInvitation(shared, hash)
  if (invitation === undefined) throw errors.one_time_link_not_found()
  return invitation
}

async function newUser(
  shared: Shared,
  { email, mailed }: OpenInvitation,
  { name, password, locale = 'en' }: Static<typeof AcceptBody>,
): Promise<string> {
  if ((await findUserByEmail(shared, email)) !== undefined) throw errors.sign_in_first()
  for (const [param, value] of Object.entries({ name, password })) {
    if (value === undefined) throw platformErrors.missing_member({ param, message: `${param} is missing.` })
  }
  const id = newId('usr')
  const passwordHash = await hashOf(password ?? '')
  const user = { id, name: name ?? '', email, emailVerified: mailed, operator: false, locale, passwordHash }
  try {
    await insertUser(shared, user, newId('uac'))
  } catch (error) {
    throw violates(error, 'users_email_key') ? errors.sign_in_first() : error
  }
  return id
}

async function recordAcceptance(
  deps: UsersDependencies,
  request: FastifyRequest,
  { id, businessCode, testRole, liveRole }: OpenInvitation,
  userId: string,
): Promise<void> {
  for (const [environment, role] of [
    ['test', testRole],
    ['live', liveRole],
  ] as const) {
    const businessId = role === null ? undefined : await tenantOf(deps.db.shared, businessCode, environment)
    if (businessId === undefined) continue
    await recordAccess(deps, request, {
      businessId,
      userId,
      action: 'invitations.accept',
      object: { type: 'invitations', id },
      after: { role },
    })
  }
}

async function hashOf(password: string): Promise<string> {
  if (!isPasswordLength(password)) throw errors.password_length({ param: 'password' })
  return hashPassword(password)
}

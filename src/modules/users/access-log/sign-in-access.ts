import type { FastifyRequest } from 'fastify'
import type { UsersDependencies } from '../dependencies.ts'
import { isJsonObject, type JsonObject, parseJson } from '../model/json-object.ts'
import { requireSession } from '../sessions/console-session.ts'
import { cookiePrefix, readSessionToken, readSignedCookie } from '../sign-in/session-cookie.ts'
import type { SignIn } from '../sign-in/sign-in.ts'
import { findSessionUser, ownerOfPasskey, type SessionUser } from '../storage/session.repository.ts'
import { findUserByEmail } from '../storage/user.repository.ts'
import { recordAccess } from './access-log.ts'

const SIGN_INS: Readonly<Record<string, string>> = {
  'POST /sign-in/email': 'password',
  'GET /callback/oidc': 'oidc',
  'POST /two-factor/verify-totp': 'code',
  'POST /two-factor/verify-backup-code': 'backup_code',
  'POST /passkey/verify-authentication': 'passkey',
}
const CHANGES: Readonly<Record<string, string>> = {
  'POST /sign-out': 'sessions.delete',
  'POST /reset-password': 'passwords.reset',
  'POST /change-password': 'passwords.update',
  'POST /two-factor/disable': 'two_factor.disable',
  'POST /two-factor/generate-backup-codes': 'backup_codes.create',
  'POST /passkey/verify-registration': 'passkeys.create',
  'POST /passkey/delete-passkey': 'passkeys.delete',
}
const CALLBACK = 'GET /callback/oidc'

export interface AuthRequest {
  readonly operation: string
  readonly request: FastifyRequest
  readonly base: string
  readonly body: JsonObject | undefined
}

interface AuthOutcome {
  readonly response: Response
  readonly body: unknown
  readonly reason: string | undefined
}

/**
 * Identifies the caller before better-auth responds, because the response may end the session or use up the link that
 * names the caller. The function that is returned records the response.
 */
export async function signInAccess(
  deps: UsersDependencies,
  signIn: SignIn,
  asked: AuthRequest,
): Promise<(outcome: AuthOutcome) => Promise<void>> {
  const { operation, request } = asked
  const method = SIGN_INS[operation]
  const change = CHANGES[operation]
  if (method === undefined && change === undefined) return async () => {}
  const secret = await signIn.secret()
  const session = await requireSession(deps.db.shared, request.headers, asked.base, secret).catch(
    () => undefined,
  )
  const record = (access: Parameters<typeof recordAccess>[2]) => recordAccess(deps, request, access)

  if (change !== undefined || (session !== undefined && isCode(operation))) {
    const action = change ?? (session?.twoFactorEnabled === false ? 'two_factor.enable' : undefined)
    const userId = operation === 'POST /reset-password' ? await userOfLink(signIn, asked) : session?.userId
    return async ({ reason, body }) => {
      if (action === undefined || userId === undefined) return
      await record({ userId, action, object: objectOf(action, asked, body, session), refusedFor: reason })
    }
  }
  const linker = operation === CALLBACK ? await userWhoLinks(signIn, asked) : undefined
  if (linker !== undefined) {
    return ({ reason }) => record({ userId: linker, action: 'oidc_subjects.update', refusedFor: reason })
  }
  const supposed = await supposedUser(deps, signIn, asked, secret)
  return async ({ response, reason }) => {
    const action = 'sessions.create'
    const after = { method }
    if (reason !== undefined) return record({ userId: supposed ?? null, action, refusedFor: reason })
    const token = readSessionToken({ cookie: cookiesOf(response) }, asked.base, secret)
    const started = token === undefined ? undefined : await findSessionUser(deps.db.shared, token)
    if (started === undefined) return
    await record({
      userId: started.userId,
      action,
      object: { type: 'sessions', id: started.sessionId },
      after,
    })
  }
}

function isCode(operation: string): boolean {
  return operation.startsWith('POST /two-factor/verify-')
}

async function supposedUser(
  deps: UsersDependencies,
  signIn: SignIn,
  { operation, request, base, body }: AuthRequest,
  secret: string,
): Promise<string | undefined> {
  if (operation === 'POST /sign-in/email') {
    const email = body?.['email']
    return typeof email === 'string' ? (await findUserByEmail(deps.db.shared, email))?.id : undefined
  }
  if (isCode(operation)) {
    const challenge = readSignedCookie(request.headers, `${cookiePrefix(base)}.two_factor`, secret)
    return challenge === undefined ? undefined : verificationOf(signIn, base, challenge)
  }
  const response = body?.['response']
  const credential = isJsonObject(response) ? response['id'] : undefined
  return typeof credential === 'string' ? ownerOfPasskey(deps.db.shared, credential) : undefined
}

async function userWhoLinks(signIn: SignIn, { request, base }: AuthRequest): Promise<string | undefined> {
  const { state } = request.query as { readonly state?: unknown }
  const stored =
    typeof state === 'string' ? await verificationOf(signIn, base, `auth-state:${state}`) : undefined
  const parsed = parseJson(stored ?? '')
  const link = isJsonObject(parsed) ? parsed['link'] : undefined
  return isJsonObject(link) && typeof link['userId'] === 'string' ? link['userId'] : undefined
}

async function userOfLink(signIn: SignIn, { base, body }: AuthRequest): Promise<string | undefined> {
  const token = body?.['token']
  return typeof token === 'string' ? verificationOf(signIn, base, `reset-password:${token}`) : undefined
}

async function verificationOf(signIn: SignIn, base: string, identifier: string): Promise<string | undefined> {
  const { internalAdapter } = await (await signIn.at(base)).$context
  return (await internalAdapter.findVerificationValue(identifier))?.value
}

function objectOf(
  action: string,
  { body: sent }: AuthRequest,
  received: unknown,
  session: SessionUser | undefined,
): { type: string; id: string } | undefined {
  if (action === 'sessions.delete' && session !== undefined)
    return { type: 'sessions', id: session.sessionId }
  if (!action.startsWith('passkeys.')) return undefined
  const id = action === 'passkeys.delete' ? sent?.['id'] : isJsonObject(received) ? received['id'] : undefined
  return typeof id === 'string' ? { type: 'passkeys', id } : undefined
}

function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

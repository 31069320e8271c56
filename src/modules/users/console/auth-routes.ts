import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RequestError } from '#kernel/errors'
import { platformErrors } from '#platform/errors'
import { recordLock } from '../access-log/access-log.ts'
import { signInAccess } from '../access-log/sign-in-access.ts'
import { errors } from '../errors.ts'
import type { UsersDependencies } from '../dependencies.ts'
import { requireSession } from '../sessions/console-session.ts'
import { consoleBase, requireOwnOrigin } from '../sessions/own-origin.ts'
import { ownPage } from '../sessions/own-page.ts'
import { type Attempt, countAttempts, returnAttempts } from '../attempts/attempts.ts'
import { ADDRESS_HEADER, AUTH_PATH, REQUEST_HEADER } from '../model/auth-names.ts'
import type { SignIn } from '../sign-in/sign-in.ts'
import { readJsonBody } from './json-body.ts'
import { isJsonObject, type JsonObject, parseJson } from '../model/json-object.ts'

type Guess = 'password' | 'own_password' | 'code' | 'mail'

const OPERATIONS: Readonly<Record<string, { readonly guesses?: Guess }>> = {
  'POST /sign-in/email': { guesses: 'password' },
  'POST /sign-in/social': {},
  'POST /link-social': {},
  'GET /callback/oidc': {},
  'POST /sign-out': {},
  'POST /request-password-reset': { guesses: 'mail' },
  'POST /reset-password': { guesses: 'code' },
  'POST /change-password': { guesses: 'own_password' },
  'POST /two-factor/enable': { guesses: 'own_password' },
  'POST /two-factor/disable': { guesses: 'own_password' },
  'POST /two-factor/verify-totp': { guesses: 'code' },
  'POST /two-factor/verify-backup-code': { guesses: 'code' },
  'POST /two-factor/generate-backup-codes': { guesses: 'own_password' },
  'GET /passkey/generate-register-options': {},
  'POST /passkey/verify-registration': {},
  'GET /passkey/generate-authenticate-options': {},
  'POST /passkey/verify-authentication': { guesses: 'code' },
  'GET /passkey/list-user-passkeys': {},
  'POST /passkey/delete-passkey': {},
  'POST /passkey/update-passkey': {},
}

const MAX_REASON = 60

export function registerAuthRoutes(app: FastifyInstance, deps: UsersDependencies, signIn: SignIn): void {
  app.route({
    method: ['GET', 'POST'],
    url: `${AUTH_PATH}/*`,
    handler: (request, reply) => serve(deps, signIn, request, reply),
  })
}

async function serve(
  deps: UsersDependencies,
  signIn: SignIn,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { shared } = deps.db
  const [path = ''] = request.url.slice(AUTH_PATH.length).split('?')
  const name = `${request.method} ${path}`
  const operation = OPERATIONS[name]
  if (operation === undefined) throw platformErrors.route_not_found()
  const base = consoleBase(request.headers, deps.publicUrl())
  if (request.method !== 'GET') requireOwnOrigin(request.method, request.headers, base)
  const body = request.method === 'GET' ? undefined : bodyOf(request, path, base)
  const attempts = attemptsOf(operation.guesses, request.ip, body)
  if (operation.guesses === 'own_password') {
    const { userId } = await requireSession(shared, request.headers, base, await signIn.secret())
    attempts.push({ kind: 'own_password', of: userId })
  }
  await countAttempts(shared, attempts, (attempt) => recordLock(deps, request, attempt))
  const record = await signInAccess(deps, signIn, { operation: name, request, base, body })
  const response = await (await signIn.at(base)).handler(toWebRequest(request, base, body))
  if (response.status < 400) await returnAttempts(shared, attempts)
  const sent = await replyOf(response)
  await record({ ...sent, response, reason: sent.error?.reason ?? refusalIn(sent.location) })
  return send(reply, response, sent)
}

function attemptsOf(guesses: Guess | undefined, address: string, body: JsonObject | undefined): Attempt[] {
  if (guesses === undefined) return []
  const email = typeof body?.['email'] === 'string' ? body['email'] : undefined
  const byAddress: Attempt = { kind: 'address', of: address }
  if (email !== undefined && guesses === 'password') {
    return [byAddress, { kind: 'account', of: email, from: address }]
  }
  return email !== undefined && guesses === 'mail' ? [byAddress, { kind: 'reset', of: email }] : [byAddress]
}

function bodyOf(request: FastifyRequest, path: string, base: string): JsonObject {
  const sent = readJsonBody(request)
  const pages = pagesOf(sent, base)
  // better-auth would also take an id_token here, whose nonce nobody checked.
  if (path.endsWith('-social') || path.endsWith('/social')) {
    return { callbackURL: `${base}/console`, ...pages, provider: sent['provider'] }
  }
  const body = { ...sent, ...pages }
  return path === '/change-password' ? { ...body, revokeOtherSessions: true } : body
}

const PAGES = ['callbackURL', 'errorCallbackURL', 'newUserCallbackURL', 'redirectTo'] as const

function pagesOf(body: JsonObject, base: string): Record<string, string> {
  const pages: Record<string, string> = {}
  for (const name of PAGES) {
    const text = body[name]
    if (text === undefined) continue
    const page = typeof text === 'string' ? ownPage(text, base) : undefined
    if (page === undefined) {
      const message = `${name} must be the address of a page of the console.`
      throw errors.sign_in_refused({ param: name, message })
    }
    pages[name] = page
  }
  return pages
}

function toWebRequest(request: FastifyRequest, base: string, body: JsonObject | undefined): Request {
  const headers = new Headers({
    [ADDRESS_HEADER]: request.ip,
    [REQUEST_HEADER]: request.id,
    origin: new URL(base).origin,
  })
  for (const name of ['cookie', 'user-agent', 'accept-language'] as const) {
    const value = request.headers[name]
    if (value !== undefined) headers.set(name, value)
  }
  if (body !== undefined) headers.set('content-type', 'application/json')
  return new Request(base + request.url, {
    method: request.method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

interface AuthReply {
  readonly location: string | undefined
  readonly body: unknown
  readonly error: RequestError | undefined
}

async function replyOf(response: Response): Promise<AuthReply> {
  const { status } = response
  const location = status >= 300 && status < 400 ? (response.headers.get('location') ?? undefined) : undefined
  const body = parseJson(await response.text())
  return { location, body, error: status < 400 ? undefined : errorOf(status, body) }
}

/** A refused sign-in at an OpenID provider redirects to the sign-in page, with the reason. */
function refusalIn(location: string | undefined): string | undefined {
  const reason = location === undefined ? null : URL.parse(location, 'http://x')?.searchParams.get('error')
  return reason?.toLowerCase().replace(/\W+/g, '_').slice(0, MAX_REASON)
}

function send(reply: FastifyReply, response: Response, { location, body, error }: AuthReply): FastifyReply {
  for (const cookie of response.headers.getSetCookie()) reply.header('set-cookie', cookie)
  if (location !== undefined) return reply.code(response.status).header('location', location).send('')
  if (error !== undefined) throw error
  return reply
    .code(200)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(withoutTokens(body)))
}

function withoutTokens(body: unknown): unknown {
  if (!isJsonObject(body)) return body ?? {}
  const { token: _, session, ...rest } = body
  if (!isJsonObject(session)) return rest
  const { token: __, ...shown } = session
  return { ...rest, session: shown }
}

function errorOf(status: number, body: unknown): RequestError {
  const code = isJsonObject(body) && typeof body['code'] === 'string' ? body['code'] : ''
  const message = isJsonObject(body) && typeof body['message'] === 'string' ? body['message'] : undefined
  switch (code) {
    case 'INVALID_EMAIL_OR_PASSWORD':
    case 'INVALID_CODE':
    case 'INVALID_BACKUP_CODE':
      return errors.sign_in_failed()
    case 'INVALID_TWO_FACTOR_COOKIE':
    case 'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE':
      return errors.sign_in_failed({
        message: 'The sign-in took too long, or too many codes were tried. Start again.',
      })
    case 'FACTOR_LOCKED':
      return errors.too_many_attempts(retryAfterIn(body))
    case 'PASSWORD_TOO_SHORT':
    case 'PASSWORD_TOO_LONG':
      return errors.password_length({ param: 'newPassword' })
    case 'INVALID_TOKEN':
      return errors.one_time_link_not_found()
    case 'ACCOUNT_DISABLED':
      return errors.account_disabled()
    case 'SESSION_NOT_FRESH':
      return errors.fresh_sign_in_required()
    default:
      if (status === 401)
        return code === '' || code === 'UNAUTHORIZED' ? errors.session_ended() : errors.sign_in_failed()
      if (status >= 500) return platformErrors.internal_error()
      return errors.sign_in_refused(message === undefined ? {} : { message })
  }
}

function retryAfterIn(body: unknown): { retryAfterSeconds?: number } {
  const seconds = isJsonObject(body) ? body['retryAfterSeconds'] : undefined
  return typeof seconds === 'number' ? { retryAfterSeconds: seconds } : {}
}

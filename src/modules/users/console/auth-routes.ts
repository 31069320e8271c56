import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RequestError } from '#kernel/errors'
import { platformErrors } from '#platform/errors'
import type { SharedStatements } from '#platform/postgres/database'
import { errors } from '../api/errors.ts'
import { requireOwnOrigin } from '../sessions/own-origin.ts'
import { type Attempt, countAttempts, returnAttempts } from '../sign-in/attempts.ts'
import { ADDRESS_HEADER, AUTH_PATH } from '../sign-in/paths.ts'
import { isJsonObject, type JsonObject, parseJson, readJsonBody } from './json-body.ts'

const OPERATIONS: Readonly<Record<string, { readonly guesses?: 'password' | 'code' | 'mail' }>> = {
  'POST /sign-in/email': { guesses: 'password' },
  'POST /sign-in/social': {},
  'GET /callback/oidc': {},
  'POST /sign-out': {},
  'POST /request-password-reset': { guesses: 'mail' },
  'POST /reset-password': { guesses: 'code' },
  'POST /change-password': { guesses: 'code' },
  'POST /two-factor/enable': { guesses: 'code' },
  'POST /two-factor/disable': { guesses: 'code' },
  'POST /two-factor/verify-totp': { guesses: 'code' },
  'POST /two-factor/verify-backup-code': { guesses: 'code' },
  'POST /two-factor/generate-backup-codes': { guesses: 'code' },
  'GET /passkey/generate-register-options': {},
  'POST /passkey/verify-registration': {},
  'GET /passkey/generate-authenticate-options': {},
  'POST /passkey/verify-authentication': { guesses: 'code' },
  'GET /passkey/list-user-passkeys': {},
  'POST /passkey/delete-passkey': {},
  'POST /passkey/update-passkey': {},
}

const LOCKED_SECONDS = 900

export interface AuthRoutesDependencies {
  readonly shared: SharedStatements
  readonly baseOf: (request: FastifyRequest) => string
  readonly handle: (request: Request, base: string) => Promise<Response>
}

export function registerAuthRoutes(app: FastifyInstance, deps: AuthRoutesDependencies): void {
  app.route({
    method: ['GET', 'POST'],
    url: `${AUTH_PATH}/*`,
    handler: (request, reply) => serve(deps, request, reply),
  })
}

async function serve(
  deps: AuthRoutesDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const [path = ''] = request.url.slice(AUTH_PATH.length).split('?')
  const operation = OPERATIONS[`${request.method} ${path}`]
  if (operation === undefined) throw platformErrors.route_not_found()
  const base = deps.baseOf(request)
  if (request.method !== 'GET') requireOwnOrigin(request.method, request.headers, base)
  const body = request.method === 'GET' ? undefined : bodyOf(request, path)
  const attempts = attemptsOf(operation.guesses, request.ip, body)
  await countAttempts(deps.shared, attempts)
  const response = await deps.handle(toWebRequest(request, base, body), base)
  if (response.status < 400) await returnAttempts(deps.shared, attempts)
  return send(reply, response)
}

function attemptsOf(
  guesses: 'password' | 'code' | 'mail' | undefined,
  address: string,
  body: JsonObject | undefined,
): Attempt[] {
  if (guesses === undefined) return []
  const email = typeof body?.['email'] === 'string' ? body['email'] : undefined
  const byAddress: Attempt = { kind: 'address', of: address }
  if (email === undefined || guesses === 'code') return [byAddress]
  return [byAddress, { kind: guesses === 'mail' ? 'reset' : 'account', of: email }]
}

function bodyOf(request: FastifyRequest, path: string): JsonObject {
  const body = readJsonBody(request)
  return path === '/change-password' ? { ...body, revokeOtherSessions: true } : body
}

function toWebRequest(request: FastifyRequest, base: string, body: JsonObject | undefined): Request {
  const headers = new Headers({ [ADDRESS_HEADER]: request.ip, origin: new URL(base).origin })
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

async function send(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  for (const cookie of response.headers.getSetCookie()) reply.header('set-cookie', cookie)
  const location = response.headers.get('location')
  if (response.status >= 300 && response.status < 400 && location !== null) {
    return reply.code(response.status).header('location', location).send('')
  }
  const body = parseJson(await response.text())
  if (response.status >= 400) throw errorOf(response.status, body)
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
        message: 'The sign-in took too long or had too many codes. Begin again.',
      })
    case 'ACCOUNT_TEMPORARILY_LOCKED':
      return errors.too_many_attempts({ retryAfterSeconds: LOCKED_SECONDS })
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

import type { IncomingHttpHeaders } from 'node:http'
import { realNowMs } from '#kernel/clock'
import type { SharedStatements } from '#platform/postgres/database'
import { errors } from '../errors.ts'
import { findSessionUser, type SessionUser } from '../storage/session.repository.ts'
import { readSessionToken } from '../sign-in/session-cookie.ts'

export async function requireSession(
  shared: SharedStatements,
  headers: IncomingHttpHeaders,
  base: string,
  secret: string,
): Promise<SessionUser> {
  const token = readSessionToken(headers, base, secret)
  const session = token === undefined ? undefined : await findSessionUser(shared, token)
  if (session === undefined || session.expiresAt.epochMilliseconds <= realNowMs())
    throw errors.session_ended()
  return session
}

import type { FastifyRequest } from 'fastify'
import { errors } from '../errors.ts'
import type { UsersDependencies } from '../dependencies.ts'
import { requireSession } from '../sessions/console-session.ts'
import { consoleBase, requireOwnOrigin } from '../sessions/own-origin.ts'
import type { SignIn } from '../sign-in/sign-in.ts'
import type { SessionUser } from '../storage/session.repository.ts'

export interface Visitors {
  readonly baseOf: (request: FastifyRequest) => string
  readonly sessionOf: (request: FastifyRequest) => Promise<SessionUser>
  readonly operatorOf: (request: FastifyRequest) => Promise<SessionUser>
}

export function visitorsOf(deps: UsersDependencies, signIn: SignIn): Visitors {
  const baseOf = (request: FastifyRequest) => consoleBase(request.headers, deps.publicUrl())
  const sessionOf = async (request: FastifyRequest): Promise<SessionUser> => {
    const base = baseOf(request)
    if (request.method !== 'GET') requireOwnOrigin(request.method, request.headers, base)
    return requireSession(deps.db.shared, request.headers, base, await signIn.secret())
  }
  const operatorOf = async (request: FastifyRequest): Promise<SessionUser> => {
    const user = await sessionOf(request)
    if (!user.operator) throw errors.operators_only()
    return user
  }
  return { baseOf, sessionOf, operatorOf }
}

import type { FastifyRequest } from 'fastify'
import type { UsersDependencies } from '../dependencies.ts'
import type { Attempt } from '../attempts/attempts.ts'
import { findUserByEmail } from '../storage/user.repository.ts'
import type { AccessObject } from './access-record.ts'

/** The actor of an attempt for which no user was found. The typed name may be a password, so it is not kept. */
const UNKNOWN = 'unknown'

const LOCKS: Readonly<Record<Attempt['kind'], string>> = {
  account: 'users.lock',
  address: 'addresses.lock',
  reset: 'password_resets.lock',
  own_password: 'users.lock',
  factor: 'two_factor.lock',
}

interface Access {
  readonly businessId?: string | null
  readonly userId: string | null
  readonly action: string
  readonly object?: AccessObject | undefined
  readonly refusedFor?: string | undefined
  readonly after?: object | undefined
}

export async function recordAccess(
  deps: Pick<UsersDependencies, 'recordAccess'>,
  request: FastifyRequest,
  { businessId = null, userId, action, object, refusedFor, after }: Access,
): Promise<void> {
  await deps.recordAccess({
    businessId,
    actor: { type: 'user', id: userId ?? UNKNOWN },
    action,
    object,
    ipAddress: request.ip,
    userAgent: request.headers['user-agent'],
    requestId: request.id,
    outcome:
      refusedFor === undefined ? { outcome: 'completed', after } : { outcome: 'refused', reason: refusedFor },
  })
}

export async function recordLock(
  deps: Pick<UsersDependencies, 'db' | 'recordAccess'>,
  request: FastifyRequest,
  { kind, of }: Attempt,
): Promise<void> {
  const action = LOCKS[kind]
  if (kind === 'address') {
    return recordAccess(deps, request, { userId: null, action, object: { type: 'addresses', id: of } })
  }
  const userId = kind === 'own_password' ? of : (await findUserByEmail(deps.db.shared, of.trim()))?.id
  const object = userId === undefined ? undefined : { type: 'users', id: userId }
  await recordAccess(deps, request, { userId: userId ?? null, action, object })
}

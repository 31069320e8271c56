import type { Refused } from '#kernel/refusal'
import type { Caller, Environment } from '#platform/caller'
import type { Tx } from '#platform/postgres/database'
import { type Role, scopesOf } from '../model/roles.ts'
import { findAuthority, type Roles } from '../storage/membership.repository.ts'

export async function authorityOf(tx: Tx, caller: Caller): Promise<ReadonlySet<Environment>> {
  // A key of one environment must not reach the other one by inviting somebody to it.
  if (caller.actor.type !== 'user') return new Set([caller.environment])
  const user = await findAuthority(tx, caller.businessCode, caller.actor.id)
  if (user?.operator === true) return new Set(['test', 'live'])
  const environments: Environment[] = []
  if (maySet(user?.testRole, 'test')) environments.push('test')
  if (maySet(user?.liveRole, 'live')) environments.push('live')
  return new Set(environments)
}

function maySet(role: Role | null | undefined, environment: Environment): boolean {
  return scopesOf(role ?? null, environment).includes('users:write')
}

export function refuseRoles(
  authority: ReadonlySet<Environment>,
  before: Roles,
  after: Roles,
): Refused<'role_not_allowed'> | null {
  for (const environment of ['test', 'live'] as const) {
    if (before[environment] === after[environment] || authority.has(environment)) continue
    return {
      refused: 'role_not_allowed',
      param: `${environment}_role`,
      message: `You may not change roles in ${environment}, because you do not have the scope users:write there.`,
    }
  }
  return null
}

import type { Environment } from '#platform/caller'
import { type Scope, SCOPES } from '#platform/http/routes/route'

export const ROLES = ['owner', 'developer', 'finance', 'support', 'read_only'] as const
export type Role = (typeof ROLES)[number]

const READS = SCOPES.filter((scope) => scope.endsWith(':read'))

export const ROLE_SCOPES: Readonly<Record<Role, Readonly<Record<Environment, readonly Scope[]>>>> = {
  owner: { test: SCOPES, live: SCOPES },
  developer: {
    test: SCOPES.filter((scope) => scope !== 'users:write'),
    live: [...READS, 'keys:write', 'webhooks:write', 'admin:write'],
  },
  finance: inBoth([...READS, 'payments:write', 'recurring:write', 'billing:write', 'billing_details:write']),
  support: inBoth([
    'payments:read',
    'payments:write',
    'customers:read',
    'customers:write',
    'recurring:read',
    'recurring:write',
    'billing:read',
    'billing_details:read',
    'billing_details:write',
    'cards:read',
    'cards:write',
    'webhooks:read',
    'reports:read',
    'search:read',
    'logs:read',
  ]),
  read_only: inBoth(READS),
}

export function scopesOf(role: Role | null, environment: Environment): readonly Scope[] {
  return role === null ? [] : ROLE_SCOPES[role][environment]
}

export function rolesWith(scope: Scope, environment: Environment): Role[] {
  return ROLES.filter((role) => scopesOf(role, environment).includes(scope))
}

function inBoth(scopes: readonly Scope[]): Record<Environment, readonly Scope[]> {
  return { test: scopes, live: scopes }
}

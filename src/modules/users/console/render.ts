import { toRfc3339 } from '#kernel/clock'
import { SCOPES } from '#platform/http/routes/route'
import { scopesOf } from '../model/roles.ts'
import type { BusinessMembership } from '../storage/membership.repository.ts'
import type { TrustedDevice } from '../storage/trusted-device.repository.ts'
import type { SessionUser, StoredSession } from '../storage/session.repository.ts'

export function renderMembership(membership: BusinessMembership, isOperator: boolean) {
  const { testRole, liveRole } = membership
  return {
    business: {
      code: membership.code,
      name: membership.name,
      time_zone: membership.timeZone,
      currency: membership.currency,
      test: { time_zone: membership.testTimeZone, currency: membership.testCurrency },
    },
    test_role: testRole,
    live_role: liveRole,
    test_scopes: isOperator ? SCOPES : scopesOf(testRole, 'test'),
    live_scopes: isOperator ? SCOPES : scopesOf(liveRole, 'live'),
  }
}

export function renderSessionUser(user: SessionUser) {
  return {
    id: user.userId,
    name: user.name,
    email: user.email,
    operator: user.operator,
    two_factor_enabled: user.twoFactorEnabled,
    locale: user.locale,
  }
}

export function renderSession(session: StoredSession, currentId?: string) {
  return {
    id: session.id,
    ip_address: session.ipAddress,
    user_agent: session.userAgent,
    created_at: toRfc3339(session.createdAt),
    last_used_at: toRfc3339(session.updatedAt),
    expires_at: toRfc3339(session.expiresAt),
    ...(currentId !== undefined && { current: session.id === currentId }),
  }
}

export function renderTrustedDevice(device: TrustedDevice, currentHash: string | undefined) {
  return {
    id: device.id,
    ip_address: device.ipAddress,
    user_agent: device.userAgent,
    created_at: toRfc3339(device.createdAt),
    last_used_at: toRfc3339(device.lastUsedAt),
    expires_at: toRfc3339(device.expiresAt),
    current: device.hash === currentHash,
  }
}

import { isAfter, realClock, rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import type { ApiKey, BusinessProfile } from '#modules/businesses'
import type { CommandContext, CommandResult } from './operator-command.ts'
import { textTable } from './text-table.ts'

export async function listMigrations({ migrations }: CommandContext): Promise<CommandResult> {
  return {
    json: { migrations },
    text:
      migrations.length === 0 ? 'Nothing to migrate.' : migrations.map((name) => `Ran ${name}.`).join('\n'),
  }
}

export async function listBusinesses({ businesses }: CommandContext): Promise<CommandResult> {
  const tenants = await Array.fromAsync(businesses.tenants())
  const json = {
    businesses: [...Map.groupBy(tenants, ({ code }) => code).values()].map((environments) => {
      const idOf = (environment: BusinessProfile['environment']) =>
        environments.find((tenant) => tenant.environment === environment)?.businessId ?? null
      const [business] = environments
      return {
        customer_code: business?.code ?? '',
        name: business?.name ?? '',
        time_zone: business?.timeZone ?? '',
        currency: business?.currency ?? '',
        test_business_id: idOf('test'),
        live_business_id: idOf('live'),
      }
    }),
  }
  if (json.businesses.length === 0) return { json, text: 'No businesses.' }
  const rows = json.businesses.map((business) => [
    business.customer_code,
    business.name,
    business.time_zone,
    business.currency,
    business.test_business_id ?? '',
    business.live_business_id ?? '',
  ])
  return { json, text: textTable(['CODE', 'NAME', 'TIME ZONE', 'CURRENCY', 'TEST', 'LIVE'], rows) }
}

export async function listKeys({ businesses }: CommandContext): Promise<CommandResult> {
  const keys = await Array.fromAsync(businesses.keys())
  const json = {
    keys: keys.map((key) => ({
      key_id: key.keyId,
      name: key.name,
      app_id: key.appId,
      business_id: key.businessId,
      business_name: key.businessName,
      environment: key.environment,
      scopes: key.scopes,
      state: stateOf(key),
      created_at: toRfc3339(key.createdAt),
      expires_at: rfc3339OrNull(key.expiresAt),
      revoked_at: rfc3339OrNull(key.revokedAt),
      last_used_at: rfc3339OrNull(key.lastUsedAt),
    })),
  }
  if (json.keys.length === 0) return { json, text: 'No API keys.' }
  const rows = json.keys.map((key) => [
    key.key_id,
    key.name ?? '',
    key.state,
    key.environment,
    key.business_name,
    key.app_id,
    key.expires_at ?? 'never',
    key.last_used_at ?? 'never',
    key.scopes.join(','),
  ])
  const header = ['KEY', 'NAME', 'STATE', 'ENV', 'BUSINESS', 'APP', 'EXPIRES', 'LAST USED', 'SCOPES']
  return { json, text: textTable(header, rows) }
}

function stateOf(key: ApiKey): 'active' | 'revoked' | 'expired' {
  if (key.revokedAt !== null) return 'revoked'
  const isExpired = key.expiresAt !== null && !isAfter(key.expiresAt, realClock.now())
  return isExpired ? 'expired' : 'active'
}

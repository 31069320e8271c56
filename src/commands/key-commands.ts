import { type Instant, realClock } from '#kernel/clock'
import { addDuration, isDurationProblem, parseDuration } from '#kernel/duration'
import { type Businesses, CommandError, parseScopes } from '#modules/businesses'
import type { Environment } from '#platform/caller'
import { auditedCommand } from './audited-command.ts'
import type { OperatorCommand } from './operator-command.ts'
import { membersAsText } from './text-table.ts'

export interface NewKey {
  readonly app: string
  readonly env: Environment
  readonly scope: string
  readonly expiresIn?: string
  readonly name?: string
}

export function createKey(options: NewKey): OperatorCommand {
  const key = {
    name: options.name ?? null,
    appId: options.app,
    environment: options.env,
    scopes: parseScopes(options.scope),
    expiresAt: readExpiry(options.expiresIn),
  }
  const audit = {
    action: 'api_keys.create',
    object: { type: 'api_keys', id: null },
    tenantOf: (businesses: Businesses) => businesses.tenantOf(key),
    request: { name: key.name, scopes: key.scopes, expires_in: options.expiresIn ?? null },
  }
  return auditedCommand(audit, async ({ businesses }) => {
    const { keyId, apiKey } = await businesses.createKey(key)
    const json = { key_id: keyId, app_id: key.appId, api_key: apiKey }
    return { json, text: membersAsText(json) }
  })
}

function readExpiry(text: string | undefined): Instant | null {
  if (text === undefined) return null
  const duration = parseDuration(text)
  if (isDurationProblem(duration)) throw new CommandError(`--expires-in ${duration.message}.`)
  return addDuration(realClock.now(), duration, 'UTC')
}

export function revokeKey(keyId: string): OperatorCommand {
  const audit = {
    action: 'api_keys.revoke',
    object: { type: 'api_keys', id: keyId },
    tenantOf: (businesses: Businesses) => businesses.tenantOf({ keyId }),
  }
  return auditedCommand(audit, async ({ businesses }) => {
    await businesses.revokeKey(keyId)
    return { json: { key_id: keyId, revoked: true }, text: `${keyId} is revoked.` }
  })
}

export function removeSigningKey(app: { appId: string; environment: Environment }): OperatorCommand {
  const audit = {
    action: 'signing_key.delete',
    object: { type: 'apps', id: app.appId },
    tenantOf: (businesses: Businesses) => businesses.tenantOf(app),
  }
  return auditedCommand(audit, async ({ businesses }) => {
    await businesses.removeSigningKey(app)
    return {
      json: { app_id: app.appId, environment: app.environment, removed: true },
      text: `The signing key of ${app.appId} in ${app.environment} is removed.`,
    }
  })
}

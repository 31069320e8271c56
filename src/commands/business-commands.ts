import { type Businesses, type NamedTenant, prepareBusiness, type WebhookSecret } from '#modules/businesses'
import { sandboxOf } from '../sandbox-file.ts'
import { auditedCommand } from './audited-command.ts'
import { baseUrlOf } from './base-url.ts'
import type { CommandContext, OperatorCommand } from './operator-command.ts'
import { membersAsText } from './text-table.ts'

interface NewBusinessOptions {
  readonly name: string
  readonly timeZone?: string
  readonly currency?: string
}

export function createBusiness(options: NewBusinessOptions): OperatorCommand {
  const business = prepareBusiness(options)
  const { name, timeZone, currency } = business
  const audit = {
    action: 'businesses.create',
    object: { type: 'businesses', id: business.code },
    request: { name, time_zone: timeZone, currency },
  }
  return auditedCommand(audit, async ({ config, businesses }) => {
    await businesses.create(business)
    const sandbox = sandboxOf(business, await baseUrlOf(config))
    return { json: sandbox, text: membersAsText(sandbox) }
  })
}

export function showWebhookSecret(tenant: NamedTenant): OperatorCommand {
  return webhookSecretCommand('webhook_secret.show', tenant, ({ businesses }) =>
    businesses.showWebhookSecret(tenant),
  )
}

export function rotateWebhookSecret(tenant: NamedTenant): OperatorCommand {
  return webhookSecretCommand('webhook_secret.rotate', tenant, ({ businesses }) =>
    businesses.rotateWebhookSecret(tenant),
  )
}

function webhookSecretCommand(
  action: string,
  tenant: NamedTenant,
  secretOf: (context: CommandContext) => Promise<WebhookSecret>,
): OperatorCommand {
  const audit = {
    action,
    object: { type: 'businesses', id: tenant.code },
    tenantOf: (businesses: Businesses) => businesses.tenantOf(tenant),
  }
  return auditedCommand(audit, async (context) => {
    const { businessId, webhookSecret } = await secretOf(context)
    const json = {
      business_id: businessId,
      customer_code: tenant.code,
      environment: tenant.environment,
      webhook_secret: webhookSecret,
    }
    return { json, text: membersAsText(json) }
  })
}

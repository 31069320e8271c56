import { RequestError } from '#kernel/errors'
import { type Businesses, CommandError, type NamedTenant } from '#modules/businesses'
import { eraseAgain } from '#modules/personal-data'
import { PERSONAL_DATA } from '../maintenance.ts'
import { auditedCommand } from './audited-command.ts'
import type { OperatorCommand } from './operator-command.ts'

export function eraseCustomersAgain(tenant: NamedTenant, uuids: readonly string[]): OperatorCommand {
  const audit = {
    action: 'customers.erase_again',
    tenantOf: (businesses: Businesses) => businesses.tenantOf(tenant),
  }
  return auditedCommand(audit, async ({ businesses, db }) => {
    const businessId = await businesses.tenantOf(tenant)
    if (businessId === undefined) throw new CommandError(`There is no business ${tenant.code}.`)
    const begun: string[] = []
    const left: { customer_uuid: string; reason: string }[] = []
    for (const uuid of uuids) {
      try {
        await eraseAgain(db, PERSONAL_DATA, { businessId, uuid })
        begun.push(uuid)
      } catch (error) {
        if (!(error instanceof RequestError)) throw error
        left.push({ customer_uuid: uuid, reason: error.message })
      }
    }
    const lines = left.map(({ customer_uuid: uuid, reason }) => `${uuid}: ${reason}`)
    return {
      json: { begun, left },
      text: [`Began to erase ${begun.length} customers. A worker goes on.`, ...lines].join('\n'),
    }
  })
}

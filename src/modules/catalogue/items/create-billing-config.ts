import { type BillingConfig, billingConfigProblem } from '#kernel/billing-config'
import { newId } from '#kernel/ids'
import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import type { CatalogueContext } from '../context.ts'
import { errors } from '../errors.ts'
import type { BillingConfigRecord } from '../model/catalogue.ts'
import { insertConfig } from '../storage/price.repository.ts'

type Defaulted = 'interval_count' | 'billing_proration_enabled'

export interface NewBillingConfig
  extends Omit<BillingConfig, Defaulted>, Partial<Pick<BillingConfig, Defaulted>> {
  readonly description?: string
}

export async function createBillingConfig(
  ctx: CatalogueContext,
  caller: Caller,
  request: NewBillingConfig,
): Promise<BillingConfigRecord> {
  const { description, interval_count = 1, billing_proration_enabled = false, ...rest } = request
  const config: BillingConfig = { ...rest, interval_count, billing_proration_enabled }
  const problem = billingConfigProblem(config)
  if (problem !== undefined) {
    const param = `recurring_billing_config.${problem.member}`
    throw errors.billing_config_inconsistent({ param, message: `${param} ${problem.message}.` })
  }
  return once(ctx.db, caller, async (tx) => {
    const record = { ...config, id: newId('rbc'), description: description ?? null, createdAt: tx.now }
    await insertConfig(tx, record)
    return record
  })
}

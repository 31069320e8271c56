import { type BillingConfig, billingConfigProblem } from '#kernel/billing-config'
import { isCurrency } from '#kernel/currencies'
import { newId } from '#kernel/ids'
import { Money, parseMoney } from '#kernel/money'
import type { Caller } from '#platform/caller'
import { type PageRequest, renderPage } from '#platform/http/validation/list'
import { once } from '#platform/idempotency/idempotency'
import { insertConfig, insertItem, listConfigs, listItems } from './catalogue.repository.ts'
import { errors } from '../api/errors.ts'
import type { RecurringDependencies } from '../dependencies.ts'
import { renderConfig, renderItem } from '../api/render.ts'
import type { NewBillingConfig, NewItem } from '../api/schemas.ts'

export async function createItem(
  deps: RecurringDependencies,
  caller: Caller,
  request: NewItem,
): Promise<object> {
  if (!isCurrency(request.currency)) throw errors.plan_currency_unknown({ param: 'recurring_item.currency' })
  const price = parseMoney(request.currency, request.price)
  const param = 'recurring_item.price'
  if (!(price instanceof Money)) throw errors.price_invalid({ param, message: `${param} ${price.message}.` })
  if (price.isNegative()) throw errors.price_invalid({ param, message: `${param} must not be negative.` })
  return once(deps.db, caller, async (tx) => {
    const item = {
      id: newId('rit'),
      label: request.label,
      price,
      referenceId: request.reference_id ?? null,
      description: request.description ?? null,
      createdAt: tx.now,
    }
    await insertItem(tx, item)
    return { recurring_item: renderItem(item) }
  })
}

export async function itemsPage(
  deps: RecurringDependencies,
  caller: Caller,
  request: PageRequest,
): Promise<object> {
  const found = await listItems(deps.db, caller.businessId, request)
  const { rows, page } = renderPage(
    request,
    found,
    ({ createdAt, id }) => ({ at: createdAt, id }),
    renderItem,
  )
  return { recurring_items: rows, page }
}

export async function createBillingConfig(
  deps: RecurringDependencies,
  caller: Caller,
  request: NewBillingConfig,
): Promise<object> {
  const { description, interval_count = 1, billing_proration_enabled = false, ...rest } = request
  const config: BillingConfig = { ...rest, interval_count, billing_proration_enabled }
  const problem = billingConfigProblem(config)
  if (problem !== undefined) {
    const param = `recurring_billing_config.${problem.member}`
    throw errors.billing_config_inconsistent({ param, message: `${param} ${problem.message}.` })
  }
  return once(deps.db, caller, async (tx) => {
    const record = { ...config, id: newId('rbc'), description: description ?? null, createdAt: tx.now }
    await insertConfig(tx, record)
    return { recurring_billing_config: renderConfig(record) }
  })
}

export async function billingConfigsPage(
  deps: RecurringDependencies,
  caller: Caller,
  request: PageRequest,
): Promise<object> {
  const found = await listConfigs(deps.db, caller.businessId, request)
  const { rows, page } = renderPage(
    request,
    found,
    ({ createdAt, id }) => ({ at: createdAt, id }),
    renderConfig,
  )
  return { recurring_billing_configs: rows, page }
}

import { findOfferedItems } from '#modules/catalogue'
import { readConfigs } from '#modules/plans'
import type { Tx } from '#platform/postgres/database'
import type { PlanChangeRequest } from './change-request.ts'
import type { NamedByChange } from './read-change.ts'

export async function findNamedByChange(tx: Tx, request: PlanChangeRequest): Promise<NamedByChange> {
  const { recurring_items: items, replace, recurring_billing_config: text } = request
  const texts = text === undefined ? [] : [{ text, param: 'change.recurring_billing_config' }]
  const configs = await readConfigs(tx, texts)
  if ('refused' in configs) return { configs, offered: new Map() }
  const ids = items?.map(({ recurring_item_id: id }) => id) ?? replace?.map(({ to }) => to) ?? []
  return { configs, offered: await findOfferedItems(tx, ids) }
}

import { RequestError } from '#kernel/errors'
import { findOfferedItems } from '#modules/catalogue'
import { readConfigs, type ReadConfigs } from '#modules/plans'
import type { Tx } from '#platform/postgres/database'
import type { NamedByChange, PlanChangeRequest } from './read-change.ts'

export async function findNamedByChange(tx: Tx, request: PlanChangeRequest): Promise<NamedByChange> {
  const { recurring_items: items, replace } = request
  const ids = items?.map(({ recurring_item_id: id }) => id) ?? replace?.map(({ to }) => to) ?? []
  const configs = await findConfig(tx, request)
  if (configs instanceof RequestError) return { configs, offered: new Map() }
  return { configs, offered: await findOfferedItems(tx, ids) }
}

async function findConfig(
  tx: Tx,
  { recurring_billing_config: text }: PlanChangeRequest,
): Promise<ReadConfigs | RequestError> {
  try {
    return await readConfigs(
      tx,
      text === undefined ? [] : [{ text, param: 'change.recurring_billing_config' }],
    )
  } catch (error) {
    if (error instanceof RequestError) return error
    throw error
  }
}

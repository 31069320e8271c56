import sql, { type Sql } from 'sql-template-tag'
import type { BillingConfig, BillingInterval, BillingType } from '#kernel/billing-config'
import { type Instant, toRfc3339 } from '#kernel/clock'
import { Money } from '#kernel/money'
import type { Database, Tx } from '#platform/postgres/database'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import { isOneOf } from '#platform/postgres/rows'
import type { CycleItem, RecurringItem } from '../model/catalogue.ts'
import type { BillingConfigRecord } from '../model/plan.ts'

interface ItemRow {
  id: string
  label: string
  price_minor: bigint
  currency: string
  reference_id: string | null
  description: string | null
  created_at: Instant
}

export interface BillingConfigRow {
  config_id: string
  billing_interval: BillingInterval
  interval_count: number
  billing_type: BillingType
  billing_month: number | null
  billing_day_of_month: number | null
  billing_proration_enabled: boolean
  config_description: string | null
  config_created_at: Instant
}

const ITEM_COLUMNS = sql`i.id, i.label, i.price_minor, i.currency, i.reference_id, i.description, i.created_at`

/** Columns of `recurring_billing_configs b`. The names do not clash with those of a joined table. */
export const CONFIG_COLUMNS = sql`b.id as config_id, b.billing_interval, b.interval_count, b.billing_type,
       b.billing_month, b.billing_day_of_month, b.billing_proration_enabled, b.description as config_description,
       b.created_at as config_created_at`

export async function insertItem(tx: Tx, item: RecurringItem): Promise<void> {
  await tx.execute(sql`
    insert into recurring_items (business_id, id, label, price_minor, currency, reference_id, description, created_at)
    values (${tx.businessId}, ${item.id}, ${item.label}, ${item.price.minor}, ${item.price.currency},
            ${item.referenceId}, ${item.description}, ${toRfc3339(item.createdAt)})`)
}

export async function findItems(tx: Tx, ids: readonly string[]): Promise<Map<string, RecurringItem>> {
  const rows = await tx.query<ItemRow>(sql`
    select ${ITEM_COLUMNS} from recurring_items i
     where i.business_id = ${tx.businessId} and ${isOneOf(sql`i.id`, [...new Set(ids)])}`)
  return new Map(rows.map((row) => [row.id, toItem(row)]))
}

export async function findCycleItems(
  tx: Tx,
  planIds: readonly string[],
): Promise<Map<string, CycleItem[][]>> {
  const rows = await tx.query<ItemRow & { plan_id: string; cycle_position: number; quantity: bigint }>(sql`
    select ci.plan_id, ci.cycle_position, ci.quantity, ${ITEM_COLUMNS}
      from recurring_cycle_items ci
      join recurring_items i on i.business_id = ci.business_id and i.id = ci.item_id
     where ci.business_id = ${tx.businessId} and ${isOneOf(sql`ci.plan_id`, planIds)}
     order by ci.plan_id, ci.cycle_position, ci.position`)
  const byPlan = new Map<string, CycleItem[][]>()
  for (const row of rows) {
    const cycles = byPlan.get(row.plan_id) ?? []
    const items = (cycles[row.cycle_position] ??= [])
    items.push({ item: toItem(row), quantity: Number(row.quantity) })
    byPlan.set(row.plan_id, cycles)
  }
  return byPlan
}

export async function listItems(
  db: Database,
  businessId: string,
  page: PageRequest,
): Promise<RecurringItem[]> {
  const rows = await db.read<ItemRow>(
    businessId,
    sql`select ${ITEM_COLUMNS} from recurring_items i
         where i.business_id = ${businessId}
         ${rowsOfPage(page, sql`i.created_at`, sql`i.id`)}`,
  )
  return rows.map(toItem)
}

export async function insertConfig(tx: Tx, config: BillingConfigRecord): Promise<void> {
  await tx.execute(insertion(tx, config, null))
}

/**
 * Returns the config that all rules of one meaning share, and creates it for the first.
 * @param ruleKey from `billingConfigKey`
 */
export async function configOfRule(
  tx: Tx,
  config: BillingConfigRecord,
  ruleKey: string,
): Promise<BillingConfigRecord> {
  // The insert waits for a concurrent transaction that creates the same config, and the next statement sees its row.
  await tx.execute(sql`${insertion(tx, config, ruleKey)} on conflict (business_id, rule_key) do nothing`)
  const found = await findConfigOfRule(tx, ruleKey)
  if (found === undefined) throw new Error(`the config of rule ${ruleKey} is gone`)
  return found
}

export async function findConfigOfRule(tx: Tx, ruleKey: string): Promise<BillingConfigRecord | undefined> {
  const [row] = await tx.query<BillingConfigRow>(sql`
    select ${CONFIG_COLUMNS} from recurring_billing_configs b
     where b.business_id = ${tx.businessId} and b.rule_key = ${ruleKey}`)
  return row === undefined ? undefined : toConfig(row)
}

export async function findConfigs(tx: Tx, ids: readonly string[]): Promise<Map<string, BillingConfigRecord>> {
  const rows = await tx.query<BillingConfigRow>(sql`
    select ${CONFIG_COLUMNS} from recurring_billing_configs b
     where b.business_id = ${tx.businessId} and ${isOneOf(sql`b.id`, [...new Set(ids)])}`)
  return new Map(rows.map((row) => [row.config_id, toConfig(row)]))
}

export async function listConfigs(
  db: Database,
  businessId: string,
  page: PageRequest,
): Promise<BillingConfigRecord[]> {
  const rows = await db.read<BillingConfigRow>(
    businessId,
    sql`select ${CONFIG_COLUMNS} from recurring_billing_configs b
         where b.business_id = ${businessId}
         ${rowsOfPage(page, sql`b.created_at`, sql`b.id`)}`,
  )
  return rows.map(toConfig)
}

function insertion(tx: Tx, config: BillingConfigRecord, ruleKey: string | null): Sql {
  return sql`
    insert into recurring_billing_configs
           (business_id, id, billing_interval, interval_count, billing_type, billing_month, billing_day_of_month,
            billing_proration_enabled, description, rule_key, created_at)
    values (${tx.businessId}, ${config.id}, ${config.billing_interval}, ${config.interval_count},
            ${config.billing_type}, ${config.billing_month ?? null}, ${config.billing_day_of_month ?? null},
            ${config.billing_proration_enabled}, ${config.description}, ${ruleKey}, ${toRfc3339(config.createdAt)})`
}

function toItem(row: ItemRow): RecurringItem {
  return {
    id: row.id,
    label: row.label,
    price: Money.ofMinor(row.currency, row.price_minor),
    referenceId: row.reference_id,
    description: row.description,
    createdAt: row.created_at,
  }
}

export function toConfig(row: BillingConfigRow): BillingConfigRecord {
  const config: BillingConfig = {
    billing_interval: row.billing_interval,
    interval_count: row.interval_count,
    billing_type: row.billing_type,
    ...(row.billing_month !== null && { billing_month: row.billing_month }),
    ...(row.billing_day_of_month !== null && { billing_day_of_month: row.billing_day_of_month }),
    billing_proration_enabled: row.billing_proration_enabled,
  }
  return {
    ...config,
    id: row.config_id,
    description: row.config_description,
    createdAt: row.config_created_at,
  }
}

import sql, { type Sql } from 'sql-template-tag'
import type { BillingConfig, BillingInterval, BillingType } from '#kernel/billing-config'
import { type Instant, toRfc3339 } from '#kernel/clock'
import { decimal, decimalToString } from '#kernel/decimal'
import { Money } from '#kernel/money'
import { STANDARD_TAX } from '#modules/taxes'
import type { FilterFields } from '#platform/filter/filter-sql'
import { readFiltered } from '#platform/filter/read-filtered'
import { readMetadata, storedMetadata } from '#platform/http/validation/metadata'
import type { Database, Tx } from '#platform/postgres/database'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import { isOneOf } from '#platform/postgres/rows'
import type { BillingConfigRecord, RecurringItem } from '../model/catalogue.ts'
import type { PriceModel, Pricing, Tier } from '../model/pricing.ts'

export interface ItemRow {
  id: string
  product_id: string | null
  label: string
  price_minor: bigint
  currency: string
  model: PriceModel
  unit_amount: string | null
  package_size: bigint | null
  tiers: string | null
  tax_behavior: RecurringItem['taxBehavior']
  tax_category: string | null
  version: number
  superseded_by: string | null
  reference_id: string | null
  description: string | null
  metadata: string | null
  created_at: Instant
}

interface StoredTier {
  readonly up_to: string | null
  readonly unit_amount: string
  readonly flat_amount: string | null
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

/** Columns of `recurring_items i`. */
export const ITEM_COLUMNS = sql`i.id, i.product_id, i.label, i.price_minor, i.currency, i.model, i.unit_amount::text,
       i.package_size, i.tiers::text, i.tax_behavior, i.tax_category, i.version, i.superseded_by, i.reference_id, i.description,
       i.metadata, i.created_at`

export const PRICE_FIELDS: FilterFields = {
  id: { type: 'text', column: sql`i.id`, prefix: true },
  reference_id: { type: 'text', column: sql`i.reference_id`, prefix: true },
  product_id: { type: 'text', column: sql`i.product_id` },
  currency: { type: 'text', column: sql`i.currency` },
  state: {
    type: 'enum',
    column: sql`case when i.superseded_by is null then 'active' else 'superseded' end`,
    values: ['active', 'superseded'],
  },
  created_at: { type: 'time', column: sql`i.created_at` },
}

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

export async function insertPrice(tx: Tx, price: RecurringItem): Promise<boolean> {
  const { pricing } = price
  const inserted = await tx.execute(sql`
    insert into recurring_items
           (business_id, id, product_id, label, price_minor, currency, model, unit_amount, package_size, tiers,
            tax_behavior, tax_category, version, reference_id, metadata, created_at)
    values (${tx.businessId}, ${price.id}, ${price.productId}, ${price.label}, ${price.price.minor},
            ${price.price.currency}, ${pricing.model},
            ${'unitAmount' in pricing ? decimalToString(pricing.unitAmount) : null}::text::numeric,
            ${'packageSize' in pricing ? pricing.packageSize : null},
            ${'tiers' in pricing ? JSON.stringify(pricing.tiers.map(storedTier)) : null}::text::jsonb,
            ${price.taxBehavior}, ${price.taxCategory === STANDARD_TAX ? null : price.taxCategory}, ${price.version}, ${price.referenceId}, ${storedMetadata(price.metadata)}::jsonb,
            ${toRfc3339(price.createdAt)})
    on conflict (business_id, reference_id) where product_id is not null do nothing`)
  return inserted === 1
}

export async function supersedeItem(tx: Tx, id: string, by: string): Promise<void> {
  await tx.execute(sql`
    update recurring_items set superseded_by = ${by} where business_id = ${tx.businessId} and id = ${id}`)
}

export async function lockItem(tx: Tx, id: string): Promise<RecurringItem | undefined> {
  const [row] = await tx.query<ItemRow>(sql`
    select ${ITEM_COLUMNS} from recurring_items i where i.business_id = ${tx.businessId} and i.id = ${id} for update`)
  return row && toItem(row)
}

export async function findPriceIdByReference(tx: Tx, referenceId: string): Promise<string | undefined> {
  const [row] = await tx.query<{ id: string }>(sql`
    select id from recurring_items
     where business_id = ${tx.businessId} and reference_id = ${referenceId} and product_id is not null`)
  return row?.id
}

export async function findItem(
  db: Database,
  businessId: string,
  id: string,
): Promise<RecurringItem | undefined> {
  const [row] = await db.read<ItemRow>(
    businessId,
    sql`select ${ITEM_COLUMNS} from recurring_items i where i.business_id = ${businessId} and i.id = ${id}`,
  )
  return row && toItem(row)
}

/** - `isArchived`: Its product is. */
export interface OfferedItem {
  readonly item: RecurringItem
  readonly isArchived: boolean
}

export async function findOfferedItems(tx: Tx, ids: readonly string[]): Promise<Map<string, OfferedItem>> {
  const rows = await tx.query<ItemRow & { is_archived: boolean }>(sql`
    select ${ITEM_COLUMNS}, p.archived_at is not null as is_archived
      from recurring_items i
      left join products p on p.business_id = i.business_id and p.id = i.product_id
     where i.business_id = ${tx.businessId} and ${isOneOf(sql`i.id`, [...new Set(ids)])}`)
  return new Map(rows.map((row) => [row.id, { item: toItem(row), isArchived: row.is_archived }]))
}

export async function listPrices(
  db: Database,
  businessId: string,
  filter: Sql | undefined,
  page: PageRequest,
): Promise<RecurringItem[]> {
  const rows = await readFiltered<ItemRow>(
    db,
    businessId,
    filter,
    (condition) => sql`
      select ${ITEM_COLUMNS} from recurring_items i
       where i.business_id = ${businessId} and ${condition}
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

export function toItem(row: ItemRow): RecurringItem {
  const price = Money.ofMinor(row.currency, row.price_minor)
  return {
    id: row.id,
    productId: row.product_id,
    label: row.label,
    price,
    pricing: toPricing(row, price),
    taxBehavior: row.tax_behavior,
    taxCategory: row.tax_category ?? STANDARD_TAX,
    version: row.version,
    supersededBy: row.superseded_by,
    referenceId: row.reference_id,
    description: row.description,
    metadata: readMetadata(row.metadata),
    createdAt: row.created_at,
  }
}

function toPricing({ model, unit_amount, package_size, tiers }: ItemRow, price: Money): Pricing {
  if (model === 'volume' || model === 'graduated') {
    const stored = JSON.parse(tiers ?? '[]') as StoredTier[]
    return { model, tiers: stored.map(toTier) }
  }
  const unitAmount = unit_amount === null ? price.toDecimal() : decimal(unit_amount)
  return model === 'package'
    ? { model, unitAmount, packageSize: Number(package_size) }
    : { model, unitAmount }
}

function storedTier({ upTo, unitAmount, flatAmount }: Tier): StoredTier {
  return {
    up_to: upTo && decimalToString(upTo),
    unit_amount: decimalToString(unitAmount),
    flat_amount: flatAmount && decimalToString(flatAmount),
  }
}

function toTier({ up_to, unit_amount, flat_amount }: StoredTier): Tier {
  return {
    upTo: up_to === null ? null : decimal(up_to),
    unitAmount: decimal(unit_amount),
    flatAmount: flat_amount === null ? null : decimal(flat_amount),
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

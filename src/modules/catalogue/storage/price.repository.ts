import sql, { type Sql } from 'sql-template-tag'
import type { BillingConfig, BillingInterval, BillingType } from '#kernel/billing-config'
import { decimal, decimalToString } from '#kernel/decimal'
import { Money } from '#kernel/money'
import { STANDARD_TAX } from '#modules/taxes'
import type { FilterFields } from '#platform/filter/filter-sql'
import { readFiltered } from '#platform/filter/read-filtered'
import type { Database, Tx } from '#platform/postgres/database'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import { isOneOf } from '#platform/postgres/rows'
import { amount, composed, json, table } from '#platform/postgres/table'
import type { BillingConfigRecord, OfferedItem, RecurringItem } from '../model/catalogue.ts'
import type { PriceModel, Pricing, Tier } from '../model/pricing.ts'

interface StoredTier {
  readonly up_to: string | null
  readonly unit_amount: string
  readonly flat_amount: string | null
}

export const ITEMS = table<RecurringItem>('i', {
  id: 'text',
  productId: 'text',
  label: 'text',
  price: amount('price_minor', 'currency'),
  pricing: composed(
    ['model', 'currency', 'price_minor', 'unit_amount::text', 'package_size', 'tiers'],
    readPricing,
    {
      model: ['text', ({ model }) => model],
      unit_amount: [
        'numeric',
        (pricing) => ('unitAmount' in pricing ? decimalToString(pricing.unitAmount) : null),
      ],
      package_size: ['bigint', (pricing) => ('packageSize' in pricing ? pricing.packageSize : null)],
      tiers: [
        'json',
        (pricing) => ('tiers' in pricing ? JSON.stringify(pricing.tiers.map(storedTier)) : null),
      ],
    },
  ),
  taxBehavior: 'text',
  taxCategory: {
    type: 'text',
    read: (category: string | null) => category ?? STANDARD_TAX,
    write: (category) => (category === STANDARD_TAX ? null : category),
  },
  version: 'integer',
  supersededBy: 'text',
  referenceId: 'text',
  description: 'text',
  metadata: json(),
  createdAt: 'timestamptz',
})
const NEW_PRICE = ITEMS.without('supersededBy', 'description')
const NEW_ITEM = ITEMS.only('id', 'label', 'price', 'referenceId', 'description', 'createdAt')

interface StoredConfig extends Pick<BillingConfigRecord, 'id' | 'description' | 'createdAt'> {
  readonly rule: BillingConfig
}

/** The prefix sets its columns apart from those of a joined table. */
const CONFIGS = table<StoredConfig>(
  'b',
  {
    id: 'text',
    rule: composed(
      [
        'billing_interval',
        'interval_count',
        'billing_type',
        'billing_month',
        'billing_day_of_month',
        'billing_proration_enabled',
      ],
      readRule,
      {
        billing_interval: ['text', (rule) => rule.billing_interval],
        interval_count: ['integer', (rule) => rule.interval_count],
        billing_type: ['text', (rule) => rule.billing_type],
        billing_month: ['integer', (rule) => rule.billing_month ?? null],
        billing_day_of_month: ['integer', (rule) => rule.billing_day_of_month ?? null],
        billing_proration_enabled: ['boolean', (rule) => rule.billing_proration_enabled],
      },
    ),
    description: 'text',
    createdAt: 'timestamptz',
  },
  'config_',
)

export const CONFIG_COLUMNS = CONFIGS.columns

/** @param row with `CONFIG_COLUMNS` */
export function readConfig(row: object): BillingConfigRecord {
  const { rule, ...config } = CONFIGS.read(row)
  return { ...rule, ...config }
}

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

export async function insertItem(tx: Tx, item: RecurringItem): Promise<void> {
  await tx.execute(sql`
    insert into recurring_items ${NEW_ITEM.values(tx.businessId, [item])}`)
}

export async function insertPrice(tx: Tx, price: RecurringItem): Promise<boolean> {
  const inserted = await tx.execute(sql`
    insert into recurring_items ${NEW_PRICE.values(tx.businessId, [price])}
    on conflict (business_id, reference_id) where product_id is not null do nothing`)
  return inserted === 1
}

export async function supersedeItem(tx: Tx, id: string, by: string): Promise<void> {
  await tx.execute(sql`
    update recurring_items set superseded_by = ${by} where business_id = ${tx.businessId} and id = ${id}`)
}

export async function lockItem(tx: Tx, id: string): Promise<RecurringItem | undefined> {
  const [row] = await tx.query(sql`
    select ${ITEMS.columns} from recurring_items i where i.business_id = ${tx.businessId} and i.id = ${id} for update`)
  return row && ITEMS.read(row)
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
  const [row] = await db.read(
    businessId,
    sql`select ${ITEMS.columns} from recurring_items i where i.business_id = ${businessId} and i.id = ${id}`,
  )
  return row && ITEMS.read(row)
}

export async function findOfferedItems(tx: Tx, ids: readonly string[]): Promise<Map<string, OfferedItem>> {
  const rows = await tx.query<{ id: string; is_archived: boolean }>(sql`
    select ${ITEMS.columns}, p.archived_at is not null as is_archived
      from recurring_items i
      left join products p on p.business_id = i.business_id and p.id = i.product_id
     where i.business_id = ${tx.businessId} and ${isOneOf(sql`i.id`, [...new Set(ids)])}`)
  return new Map(rows.map((row) => [row.id, { item: ITEMS.read(row), isArchived: row.is_archived }]))
}

export async function listPrices(
  db: Database,
  businessId: string,
  filter: Sql | undefined,
  page: PageRequest,
): Promise<RecurringItem[]> {
  const rows = await readFiltered(
    db,
    businessId,
    filter,
    (condition) => sql`
      select ${ITEMS.columns} from recurring_items i
       where i.business_id = ${businessId} and ${condition}
       ${rowsOfPage(page, sql`i.created_at`, sql`i.id`)}`,
  )
  return rows.map(ITEMS.read)
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
  const [row] = await tx.query(sql`
    select ${CONFIG_COLUMNS} from recurring_billing_configs b
     where b.business_id = ${tx.businessId} and b.rule_key = ${ruleKey}`)
  return row === undefined ? undefined : readConfig(row)
}

export async function findConfigs(tx: Tx, ids: readonly string[]): Promise<Map<string, BillingConfigRecord>> {
  const rows = await tx.query(sql`
    select ${CONFIG_COLUMNS} from recurring_billing_configs b
     where b.business_id = ${tx.businessId} and ${isOneOf(sql`b.id`, [...new Set(ids)])}`)
  return new Map(rows.map(readConfig).map((config) => [config.id, config]))
}

export async function listConfigs(
  db: Database,
  businessId: string,
  page: PageRequest,
): Promise<BillingConfigRecord[]> {
  const rows = await db.read(
    businessId,
    sql`select ${CONFIG_COLUMNS} from recurring_billing_configs b
         where b.business_id = ${businessId}
         ${rowsOfPage(page, sql`b.created_at`, sql`b.id`)}`,
  )
  return rows.map(readConfig)
}

function insertion(tx: Tx, config: BillingConfigRecord, ruleKey: string | null): Sql {
  return sql`
    insert into recurring_billing_configs
           ${CONFIGS.values(tx.businessId, [{ ...config, rule: config }], { rule_key: ruleKey })}`
}

function readPricing(
  model: PriceModel,
  currency: string,
  priceMinor: bigint,
  unitAmount: string | null,
  packageSize: bigint | null,
  tiers: string | null,
): Pricing {
  if (model === 'volume' || model === 'graduated') {
    const stored = JSON.parse(tiers ?? '[]') as StoredTier[]
    return { model, tiers: stored.map(toTier) }
  }
  const ofUnit = unitAmount === null ? Money.ofMinor(currency, priceMinor).toDecimal() : decimal(unitAmount)
  return model === 'package'
    ? { model, unitAmount: ofUnit, packageSize: Number(packageSize) }
    : { model, unitAmount: ofUnit }
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

function readRule(
  interval: BillingInterval,
  intervalCount: number,
  type: BillingType,
  month: number | null,
  dayOfMonth: number | null,
  isProrated: boolean,
): BillingConfig {
  return {
    billing_interval: interval,
    interval_count: intervalCount,
    billing_type: type,
    ...(month !== null && { billing_month: month }),
    ...(dayOfMonth !== null && { billing_day_of_month: dayOfMonth }),
    billing_proration_enabled: isProrated,
  }
}

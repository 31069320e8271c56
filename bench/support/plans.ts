/**
 * Copies one plan, which was created over HTTP, thousands of times with SQL. Each copy has its own ids, customer and
 * encrypted card, so that a billing run reads and decrypts as much as for plans from the API.
 */
import type pg from 'pg'
import { newId } from '#kernel/ids'
import { KeyFile } from '#platform/security/key-source'
import { Keyring } from '#platform/security/keyring'
import { vacuumAndCheckpoint, withDatabase } from './database.ts'
import type { BenchService } from './service.ts'

const CARD = '4242424242424242'
const COPIES_PER_STATEMENT = 2_500

const CATALOGUE = '/svc/billing/api/v1/openapi'

/** - `prices`: Of the plan, in their order. */
export interface PlanTemplate {
  readonly planId: string
  readonly prices: readonly string[]
  readonly customerUuid: string
  readonly token: string
}

interface CopyOptions {
  /** The tenants that share the copies evenly. Defaults to the template's tenant. */
  readonly businessIds?: readonly string[]
  readonly days?: number
}

/**
 * - `isBroad`: With three prices and a coupon instead of one item.
 * - `isInvoiced`: With tax and an invoice of a legal entity.
 * - `email`: Of the customer of each copy.
 */
export async function createTemplate(
  service: BenchService,
  startAt: Temporal.Instant,
  {
    isBroad = false,
    isInvoiced = false,
    email,
  }: { readonly isBroad?: boolean; readonly isInvoiced?: boolean; readonly email?: string } = {},
): Promise<PlanTemplate> {
  const { client } = service
  const customer = await client.createCustomer({ email })
  const { token } = await client.bindCard(customer.uuid, CARD)
  const prices = isBroad ? await createPrices(service) : [await client.createItem(250)]
  const plan = await client.createPlan({
    reference_number: newId('bench'),
    customer_uuid: customer.uuid,
    start_date: startAt.toString(),
    recurring_cycles: [
      {
        recurring_billing_config: 'FREQ=MONTHLY',
        billing_count: null,
        recurring_items: prices.map((id) => ({ recurring_item_id: id, quantity: isBroad ? 12 : 1 })),
      },
    ],
    ...(isBroad && { coupons: [await createCoupon(service)] }),
    ...(isInvoiced && { invoicing: { legal_entity_id: await createSeller(service), tax: 'automatic' } }),
  })
  return { planId: plan.id, prices, customerUuid: customer.uuid, token }
}

async function createPrices({ client }: BenchService): Promise<string[]> {
  const { product } = await client.ok('POST', `${CATALOGUE}/products`, { product: { name: 'Membership' } })
  const tiers = [
    { up_to: 10, unit_amount: 3 },
    { up_to: null, unit_amount: 2 },
  ]
  const models = [
    { model: 'per_unit', unit_amount: 20 },
    { model: 'package', unit_amount: 15, package_size: 10 },
    { model: 'graduated', tiers },
  ]
  const prices: string[] = []
  for (const model of models) {
    const price = { product_id: product.id, currency: 'HKD', ...model }
    const created = await client.ok('POST', `${CATALOGUE}/prices`, { price })
    prices.push(created.price.id)
  }
  return prices
}

async function createCoupon({ client }: BenchService): Promise<string> {
  const coupon = { name: 'Welcome', percent_off: 10, times: 12 }
  return (await client.ok('POST', `${CATALOGUE}/coupons`, { coupon })).coupon.id
}

async function createSeller({ client }: BenchService): Promise<string> {
  const address = { line1: 'Queensway 1', postal_code: '999077', city: 'Hong Kong', country: 'HK' }
  const { legal_entity: entity } = await client.ok('POST', `${CATALOGUE}/legal_entities`, {
    legal_entity: { name: 'Seller', address, registrations: [{ country: 'HK' }] },
  })
  const rate = { name: 'Tax', country: 'HK', percentage: 5, valid_from: '2000-01-01' }
  await client.ok('POST', `${CATALOGUE}/tax_rates`, { tax_rate: rate })
  return entity.id
}

/** @returns the new price */
export async function createVersion({ client }: BenchService, priceId: string): Promise<string> {
  const version = { price: { unit_amount: 25 } }
  return (await client.ok('POST', `${CATALOGUE}/prices/${priceId}/versions`, version)).price.id
}

export async function copyPlans(
  service: BenchService,
  template: PlanTemplate,
  count: number,
  options: CopyOptions = {},
): Promise<void> {
  const keyring = new Keyring(await KeyFile.open(service.dataDir))
  const { businessIds = [service.client.sandbox.business_id], days = 1 } = options
  await withDatabase(service.postgresUrl, async (database) => {
    // Foreign keys point in both directions, so no order of inserts satisfies them. The replica role skips their checks.
    await database.query(`set session_replication_role = 'replica'`)
    for (let first = 0; first < count; first += COPIES_PER_STATEMENT) {
      const size = Math.min(COPIES_PER_STATEMENT, count - first)
      const copies = Array.from({ length: size }, (_, index) => {
        const number = first + index
        const businessId = businessIds[number % businessIds.length] ?? ''
        const token = newId('tok')
        const field = `payment_tokens.sealed_number/${token}`
        return {
          business_id: businessId,
          customer_uuid: newId('cus'),
          token,
          verify_uuid: newId('vrf'),
          sealed_number: keyring.seal(CARD, { businessId, field }),
          plan_id: newId('pln'),
          cycle_id: newId('rcy'),
          day: number % days,
        }
      })
      await insertCopies(database, template, JSON.stringify(copies))
    }
  })
}

export async function copyBusinesses(service: BenchService, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId('biz'))
  const from = service.client.sandbox.business_id
  await withDatabase(service.postgresUrl, async (database) => {
    await database.query(
      `insert into businesses
       select r.* from businesses t, unnest($2::text[]) with ordinality n (id, number),
              jsonb_populate_record(t, jsonb_build_object('business_id', n.id, 'code', n.id, 'number',
                (select max(number) from businesses) + n.number)) r
        where t.business_id = $1`,
      [from, ids],
    )
    await database.query(`insert into business_clocks (business_id) select unnest($1::text[])`, [ids])
    for (const table of ['recurring_items', 'recurring_billing_configs']) {
      await database.query(
        `insert into ${table}
         select r.* from ${table} t, unnest($2::text[]) n (id),
                jsonb_populate_record(t, jsonb_build_object('business_id', n.id)) r
          where t.business_id = $1`,
        [from, ids],
      )
    }
  })
  return ids
}

/** Sets the start of all plans of these tenants. The job runner sees them only after `scheduleBilling`. */
export async function setStart(
  service: BenchService,
  businessIds: readonly string[],
  startAt: Temporal.Instant,
): Promise<void> {
  await withDatabase(service.postgresUrl, async (database) => {
    const values = [businessIds, startAt.toString()]
    await database.query(
      `update recurring_plans set start_at = $2, due_at = $2, due_kind = 'timeline', next_execute_at = $2,
              local_time = ($2::timestamptz at time zone time_zone)::time::text
        where business_id = any($1)`,
      values,
    )
  })
  await vacuumAndCheckpoint(service.postgresUrl)
}

export async function scheduleBilling(
  service: BenchService,
  businessIds: readonly string[],
  startAt: Temporal.Instant,
): Promise<void> {
  await withDatabase(service.postgresUrl, (database) =>
    database.query(
      `insert into next_runs (business_id, job, due_at) select unnest($1::text[]), 'recurring', $2
       on conflict (business_id, job) do update set due_at = excluded.due_at, rechecks = 0`,
      [businessIds, startAt.toString()],
    ),
  )
}

/** Stops all plans, so that they do not bill during the next measurement. Their orders stay. */
export async function stopBilling(service: BenchService): Promise<void> {
  await withDatabase(service.postgresUrl, (database) =>
    database.query('update recurring_plans set due_at = null, due_kind = null, due_order_id = null'),
  )
}

const COPIED_TABLES: readonly { table: string; condition: string; changes: string }[] = [
  {
    table: 'customers',
    condition: 'uuid = $2',
    changes: `'uuid', c.customer_uuid, 'reference_number', c.customer_uuid, 'default_token', c.token`,
  },
  {
    table: 'payment_tokens',
    condition: 'token = $3',
    changes: `'token', c.token, 'customer_uuid', c.customer_uuid, 'verify_uuid', c.verify_uuid,
              'sealed_number', c.sealed_number`,
  },
  {
    table: 'recurring_plans',
    condition: 'id = $4',
    changes: `'id', c.plan_id, 'reference_number', c.plan_id, 'customer_uuid', c.customer_uuid,
              'start_at', t.start_at + c.day * interval '1 day', 'due_at', t.due_at + c.day * interval '1 day',
              'next_execute_at', t.next_execute_at + c.day * interval '1 day'`,
  },
  { table: 'recurring_cycles', condition: 'plan_id = $4', changes: `'plan_id', c.plan_id, 'id', c.cycle_id` },
  { table: 'recurring_cycle_items', condition: 'plan_id = $4', changes: `'plan_id', c.plan_id` },
  { table: 'recurring_plan_coupons', condition: 'plan_id = $4', changes: `'plan_id', c.plan_id` },
]

async function insertCopies(database: pg.Client, template: PlanTemplate, copies: string): Promise<void> {
  const { customerUuid, token, planId } = template
  for (const { table, condition, changes } of COPIED_TABLES) {
    await database.query(
      `with c as (select * from json_to_recordset($1::json) as c (
              business_id text, customer_uuid text, token text, verify_uuid text, sealed_number text, plan_id text,
              cycle_id text, day integer)),
            template (customer_uuid, token, plan_id) as (values ($2::text, $3::text, $4::text))
       insert into ${table}
       select r.* from c, ${table} t,
              jsonb_populate_record(t, jsonb_build_object('business_id', c.business_id, ${changes})) r
        where t.${condition}`,
      [copies, customerUuid, token, planId],
    )
  }
}

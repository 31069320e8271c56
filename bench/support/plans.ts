/**
 * Thousands of plans like one that was made over HTTP: its rows and those of its customer are copied by
 * SQL, each with ids, a customer and an encrypted card of its own. So what a run reads and decrypts is
 * what it would be had every one been made over HTTP.
 */
import type pg from 'pg'
import { newId } from '#kernel/ids'
import { KeyFile } from '#platform/security/key-source'
import { Keyring } from '#platform/security/keyring'
import { settleTables, withDatabase } from './database.ts'
import type { BenchService } from './service.ts'

const CARD = '4242424242424242'
const COPIES_A_STATEMENT = 2_500

export interface PlanTemplate {
  readonly planId: string
  readonly customerUuid: string
  readonly token: string
}

/** What a copy is to differ in. */
export interface CopySpread {
  /** The tenants among which the plans are shared out evenly; the template's own when left out. */
  readonly businessIds?: readonly string[]
  /** The plans start on so many days, one after another; 1 when left out. */
  readonly days?: number
}

/** A monthly plan over HTTP that starts at `startAt`, for a customer with a card. */
export async function makeTemplate(service: BenchService, startAt: Temporal.Instant): Promise<PlanTemplate> {
  const { client } = service
  const customer = await client.createCustomer()
  const { token } = await client.bindCard(customer.uuid, CARD)
  const item = await client.createItem(250)
  const plan = await client.createPlan({
    reference_number: newId('bench'),
    customer_uuid: customer.uuid,
    start_date: startAt.toString(),
    recurring_cycles: [
      {
        recurring_billing_config: 'FREQ=MONTHLY',
        billing_count: null,
        recurring_items: [{ recurring_item_id: item, quantity: 1 }],
      },
    ],
  })
  return { planId: plan.id, customerUuid: customer.uuid, token }
}

/** Copies the template `count` times. */
export async function copyPlans(
  service: BenchService,
  template: PlanTemplate,
  count: number,
  spread: CopySpread = {},
): Promise<void> {
  const keyring = new Keyring(await KeyFile.open(service.dataDir))
  const { businessIds = [service.client.sandbox.business_id], days = 1 } = spread
  await withDatabase(service.postgresUrl, async (database) => {
    // The copies refer to each other both ways; all of them are there at the end.
    await database.query(`set session_replication_role = 'replica'`)
    for (let first = 0; first < count; first += COPIES_A_STATEMENT) {
      const size = Math.min(COPIES_A_STATEMENT, count - first)
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

/** New test tenants beside the template's, with its items and billing configs, on the real clock. */
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

/** Moves the start of all plans of tenants whose clocks were not moved to a real time. Nobody looks at them yet. */
export async function moveStarts(
  service: BenchService,
  businessIds: readonly string[],
  at: Temporal.Instant,
): Promise<void> {
  await withDatabase(service.postgresUrl, async (database) => {
    const values = [businessIds, at.toString()]
    await database.query(
      `update recurring_plans set start_at = $2, due_at = $2, next_execute_at = $2,
              local_time = ($2::timestamptz at time zone time_zone)::time::text
        where business_id = any($1)`,
      values,
    )
  })
  await settleTables(service.postgresUrl)
}

/** Shows the runner that these tenants have something due. */
export async function showRunner(
  service: BenchService,
  businessIds: readonly string[],
  at: Temporal.Instant,
): Promise<void> {
  await withDatabase(service.postgresUrl, (database) =>
    database.query(
      `insert into next_runs (business_id, job, due_at) select unnest($1::text[]), 'recurring', $2`,
      [businessIds, at.toString()],
    ),
  )
}

/** Plans that were measured bill no more; what they wrote stays. */
export async function retirePlans(service: BenchService): Promise<void> {
  await withDatabase(service.postgresUrl, (database) =>
    database.query('update recurring_plans set due_at = null, due_kind = null, due_order_id = null'),
  )
}

/** The rows of each table that belong to one plan, and in what a copy differs. */
const COPIED: readonly { table: string; which: string; changed: string }[] = [
  {
    table: 'customers',
    which: 'uuid = $2',
    changed: `'uuid', c.customer_uuid, 'reference_number', c.customer_uuid, 'default_token', c.token`,
  },
  {
    table: 'payment_tokens',
    which: 'token = $3',
    changed: `'token', c.token, 'customer_uuid', c.customer_uuid, 'verify_uuid', c.verify_uuid,
              'sealed_number', c.sealed_number`,
  },
  {
    table: 'recurring_plans',
    which: 'id = $4',
    changed: `'id', c.plan_id, 'reference_number', c.plan_id, 'customer_uuid', c.customer_uuid,
              'start_at', t.start_at + c.day * interval '1 day', 'due_at', t.due_at + c.day * interval '1 day',
              'next_execute_at', t.next_execute_at + c.day * interval '1 day'`,
  },
  { table: 'recurring_cycles', which: 'plan_id = $4', changed: `'plan_id', c.plan_id, 'id', c.cycle_id` },
  { table: 'recurring_cycle_items', which: 'plan_id = $4', changed: `'plan_id', c.plan_id` },
]

async function insertCopies(database: pg.Client, template: PlanTemplate, copies: string): Promise<void> {
  const { customerUuid, token, planId } = template
  for (const { table, which, changed } of COPIED) {
    await database.query(
      `with c as (select * from json_to_recordset($1::json) as c (
              business_id text, customer_uuid text, token text, verify_uuid text, sealed_number text, plan_id text,
              cycle_id text, day integer)),
            template (customer_uuid, token, plan_id) as (values ($2::text, $3::text, $4::text))
       insert into ${table}
       select r.* from c, ${table} t,
              jsonb_populate_record(t, jsonb_build_object('business_id', c.business_id, ${changed})) r
        where t.${which}`,
      [copies, customerUuid, token, planId],
    )
  }
}

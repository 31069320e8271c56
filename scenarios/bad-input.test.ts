import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { PAYMENTS } from './harness/client.ts'
import { type JsonSchema, mutationsOf } from './harness/schema-mutations.ts'
import { operationsOf } from './harness/operations.ts'
import { startScenario } from './harness/scenario.ts'

const { client, databaseUrl } = await startScenario()
const operations = await operationsOf(client)
const withBody = operations.filter((operation) => operation.bodySchema !== undefined)

const admin = new pg.Client({ connectionString: databaseUrl })
await admin.connect()
afterAll(() => admin.end())
const { rows: tables } = await admin.query<{ name: string }>(`
  select tablename as name from pg_tables
   where schemaname = 'public' and tablename not in ('next_runs') and tablename not like 'request_log%' order by 1`)
const counted = tables
  .map(({ name }) => `select '${name}' as name, count(*) from "${name}"`)
  .join(' union all ')

/** Counts the rows of every table but `next_runs`, which jobs write at any time, and the request log, which has every request. */
async function rowCounts(): Promise<Record<string, string>> {
  const { rows } = await admin.query<{ name: string; count: string }>({ name: 'counts', text: counted })
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}

test('openapi.json has operations with bodies', () => {
  expect(withBody.length).toBeGreaterThan(20)
})

// Proves reference/conventions#unknown-members, reference/conventions#errors.
describe('a wrong body is refused with the name of the member, and nothing is stored', () => {
  test.each(withBody.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    '%s',
    async (_name, operation) => {
      const before = await rowCounts()
      const mutations = mutationsOf(operation.bodySchema as JsonSchema)
      expect(mutations.length).toBeGreaterThan(0)
      const wrong: unknown[] = []
      for (const mutation of mutations) {
        const { path, headers } = operation.example()
        const reply = await client.call(operation.method, path, mutation.body, { headers })
        const { error } = reply.data
        const namesMember = mutation.member === '' ? error !== undefined : error?.param === mutation.member
        if (reply.status !== 400 || reply.code < 40_001 || reply.code > 40_099 || !namesMember) {
          wrong.push({ mutation: mutation.name, status: reply.status, error })
        }
      }
      expect(wrong).toEqual([])
      expect(await rowCounts()).toEqual(before)
    },
    60_000,
  )
})

describe('an unknown query parameter is refused', () => {
  test.each(operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    '%s',
    async (_name, operation) => {
      const { path, headers, body } = operation.example()
      const reply = await client.call(operation.method, `${path}?no_such_name=1`, body, { headers })
      expect(reply).toMatchObject({ status: 400, data: { error: { param: 'no_such_name' } } })
    },
  )
})

const SERVICES = '/svc/ts/api/v1/openapi'
const CHARGE = { purchasable_type: 'Charge', price: 10, quantity: 1 }
const ORDER = { reference_number: 'wrong', currency: 'HKD', line_items: [CHARGE] }
const CONFIG = { billing_interval: 'month', billing_type: 'calendar' }

// Proves reference/conventions#unknown-members.
test('a member of what does not exist yet is as unknown as any other', async () => {
  const price = { product_id: 'prd_1', currency: 'HKD', model: 'flat', unit_amount: 1, meter_id: 'mtr_1' }
  const reply = await client.call('POST', '/svc/billing/api/v1/openapi/prices', { price })
  expect(reply).toMatchObject({
    status: 400,
    data: { error: { reason: 'unknown_member', param: 'price.meter_id' } },
  })
})

describe('an error names the path of the member and says what is right', () => {
  test.each([
    [
      'POST',
      `${PAYMENTS}/orders`,
      { reference_number: 'x' },
      'reference_number is not a known member; known: order.',
    ],
    [
      'POST',
      `${PAYMENTS}/orders`,
      { order: { ...ORDER, initial_tips: 5 } },
      'order.initial_tips must be the sum of the RearTips lines, 0.00.',
    ],
    [
      'POST',
      `${PAYMENTS}/orders`,
      { order: { ...ORDER, initial_total: 9 } },
      'order.initial_total must be the sum of the lines, 10.00.',
    ],
    ['POST', `${PAYMENTS}/orders/void`, { order: {} }, 'order needs number, reference_number or both.'],
    [
      'POST',
      `${PAYMENTS}/transactions/refund`,
      { transaction: {} },
      'transaction needs uuid, reference_id or both.',
    ],
    [
      'POST',
      `${PAYMENTS}/recurring_payments/items`,
      { recurring_item: { label: 'x', price: -1, currency: 'HKD' } },
      'recurring_item.price must not be negative.',
    ],
    [
      'POST',
      `${PAYMENTS}/recurring_payments/billing_configs`,
      { recurring_billing_config: CONFIG },
      'recurring_billing_config.billing_day_of_month is required for billing_type calendar with billing_interval month.',
    ],
    ['GET', `${SERVICES}/cards/nope/limit/history`, undefined, 'There is no such card or limit.'],
    [
      'GET',
      `${SERVICES}/digital_wallets/transactions?p_user_id=u&wallet_id=w&start_at=2026-01-01T00:00:00Z`,
      undefined,
      'start_at must be an existing time in Hong Kong, written YYYY-MM-DD hh:mm:ss.',
    ],
  ])('%s %s %j', async (method, path, body, message) => {
    expect((await client.call(method, path, body)).message).toBe(message)
  })

  test('an error of a plan names the path of the member and says what is right', async () => {
    const { customer } = (
      await client.call('POST', `${PAYMENTS}/customers`, {
        customer: { reference_number: 'bad-plan', name: 'N', phone: '1' },
      })
    ).data as { customer: { uuid: string } }
    const { recurring_item } = (
      await client.call('POST', `${PAYMENTS}/recurring_payments/items`, {
        recurring_item: { label: 'x', price: 1, currency: 'HKD' },
      })
    ).data as { recurring_item: { id: string } }
    const messageOf = async (plan: object, cycle: object) => {
      const body = {
        plan: {
          name: 'P',
          customer_uuid: customer.uuid,
          default_collection_method: 'charge_automatically',
          payment_retry_count: 1,
          payment_retry_day_period: 1,
          recurring_cycles: [
            {
              billing_count: 1,
              recurring_billing_config: 'FREQ=DAILY',
              recurring_items: [{ quantity: 1, recurring_item_id: recurring_item.id }],
              ...cycle,
            },
          ],
          ...plan,
        },
      }
      return (await client.call('POST', `${PAYMENTS}/recurring_payments/plan/preview`, body)).message
    }
    const cycle = 'plan.recurring_cycles[0]'
    expect(await messageOf({ timeout: { timer: '0' } }, {})).toBe(
      'plan.timeout.timer must be longer than zero.',
    )
    expect(await messageOf({}, { discount_amount: -1 })).toBe(
      `${cycle}.discount_amount must not be negative.`,
    )
    expect(await messageOf({}, { discount_amount: 101, discount_type: 'percentage' })).toBe(
      `${cycle}.discount_amount must be from 0 to 100 as a percentage.`,
    )
    expect(await messageOf({}, { discount_type: 'percentage' })).toBe(
      `${cycle}.discount_type needs discount_amount.`,
    )
  })
})

test('an unknown event type is refused and does not return an empty list', async () => {
  const events = '/svc/event/api/v1/openapi/events'
  expect(await client.call('GET', `${events}?type=order.payed`)).toMatchObject({
    status: 400,
    data: { error: { reason: 'invalid_query_value', param: 'type' } },
  })
  expect(await client.call('GET', `${events}?type=order.paid`)).toMatchObject({ status: 200 })
})

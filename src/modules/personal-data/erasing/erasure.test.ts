import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { newId } from '#kernel/ids'
import { realClock } from '#kernel/clock'
import { CUSTOMERS_PERSONAL_DATA } from '#modules/customers'
import { hasOrderSince, PAYMENTS_PERSONAL_DATA } from '#modules/payments'
import { EVENTS_PERSONAL_DATA } from '#platform/events/personal-data'
import type { Caller } from '#platform/caller'
import type { PersonalData } from '#platform/personal-data/personal-data'
import { eventTypesOf } from '#platform/testing/events'
import { bindCard, createFixture, newCustomer } from '../../customers/testing/fixture.ts'
import { RULES, verifyPersonalData } from '../audit/verify.ts'
import { createModule, type TestModule } from '../testing/module.ts'

const fixture = await createFixture()
const { db, admin, customers } = fixture
const DATA = [CUSTOMERS_PERSONAL_DATA, PAYMENTS_PERSONAL_DATA, EVENTS_PERSONAL_DATA]

function moduleWith(data: readonly PersonalData[] = DATA): TestModule {
  return createModule({ db, customers, data, hasOrderSince })
}

async function run(module: TestModule, businessId: string, job: number, batches = Infinity): Promise<void> {
  const until = realClock.now().add({ hours: 1 })
  let left = batches
  for (;;) {
    const isStopping = () => left-- <= 0
    const handled = await module.jobs[job]?.run({ businessId, until, timeOf: () => until, isStopping })
    if (handled === 0 || left <= 0) return
  }
}

async function insertOrders(
  businessId: string,
  uuid: string,
  count: number,
  state = 'completed',
): Promise<void> {
  await admin.query(
    `insert into orders (business_id, id, source, type, reference_number, currency, initial_total_minor, initial_tips_minor,
                         state, customer_uuid, metadata, created_at, updated_at)
     select $1, 'ord_' || n, 'api', 'one_off', $2 || n, 'HKD', 100, 0, $4, $2, '{"passport": "K7"}', now(), now()
       from generate_series(1, $3) n`,
    [businessId, uuid, count, state],
  )
}

async function withMetadata(businessId: string): Promise<number> {
  const [row] = await db.read<{ count: number }>(
    businessId,
    sql`select count(metadata)::int as count from orders where business_id = ${businessId}`,
  )
  return row?.count ?? 0
}

async function stateOf(module: TestModule, caller: Caller, id: string): Promise<string> {
  return (await module.erasure(caller, id)).erasure.state
}

async function reasonsOf(module: TestModule, caller: Caller, uuid: string): Promise<string[]> {
  const { erasure_check: check } = await module.check(caller, uuid)
  return check.blockers.map(({ reason }) => reason)
}

const breaches = (businessId: string) => Array.fromAsync(verifyPersonalData(db)(businessId))

test('an erasure that is interrupted between or within batches continues where it was', async () => {
  const { businessId, caller } = await fixture.business()
  const { uuid } = await newCustomer(fixture, caller)
  await bindCard(fixture, caller, uuid)
  await insertOrders(businessId, uuid, 450)
  let erased = 0
  const failing: PersonalData = {
    ...PAYMENTS_PERSONAL_DATA,
    sources: PAYMENTS_PERSONAL_DATA.sources.map((source) => ({
      ...source,
      erase: async (tx, subject, after) => {
        const done = await source.erase?.(tx, subject, after)
        if (++erased === 2) throw new Error('killed')
        return done ?? { count: 0, next: null }
      },
    })),
  }
  const id = (await moduleWith().erase(caller, uuid)).erasure.id
  await run(moduleWith(), businessId, 0, 2)
  expect(await stateOf(moduleWith(), caller, id)).toBe('running')
  await expect(
    run(moduleWith([CUSTOMERS_PERSONAL_DATA, failing, EVENTS_PERSONAL_DATA]), businessId, 0),
  ).rejects.toThrow('killed')
  expect(await withMetadata(businessId)).toBe(250)
  expect(await breaches(businessId)).toEqual([])
  await Promise.all([run(moduleWith(), businessId, 0), run(moduleWith(), businessId, 0)])
  expect(await withMetadata(businessId)).toBe(0)
  expect(await moduleWith().erasure(caller, id)).toMatchObject({
    erasure: { state: 'completed', erased_rows: { customers: 1, payment_tokens: 1, orders: 450 } },
  })
  expect(await eventTypesOf(db, businessId, uuid)).toEqual(['customer.erased'])
  expect(await breaches(businessId)).toEqual([])
})

// Proves reference/personal-data#legal-holds, reference/personal-data#erasure.
test('a hold and what is under way refuse an erasure with their reasons', async () => {
  const { businessId, caller } = await fixture.business()
  const { uuid } = await newCustomer(fixture, caller)
  const module = moduleWith()
  await insertOrders(businessId, uuid, 1, 'open')
  const { caller: stranger } = await fixture.business()
  await expect(module.export(stranger, uuid)).rejects.toMatchObject({ reason: 'customer_not_found' })
  await module.hold(caller, uuid, 'Case 7')
  expect(await reasonsOf(module, caller, uuid)).toEqual(['legal_hold', 'open_orders'])
  await expect(module.erase(caller, uuid)).rejects.toMatchObject({
    reason: 'erasure_refused',
    message: `The customer cannot be erased now: legal_hold (${uuid}), open_orders (ord_1).`,
  })
  await module.lift(caller, uuid)
  await expect(module.lift(caller, uuid)).rejects.toMatchObject({ reason: 'legal_hold_not_found' })
  await expect(module.erase(caller, uuid)).rejects.toMatchObject({ reason: 'erasure_refused' })
  await admin.query(`update orders set state = 'voided' where business_id = $1`, [businessId])
  await module.erase(caller, uuid)
  await expect(module.hold(caller, uuid, 'Too late')).rejects.toMatchObject({ reason: 'hold_too_late' })
})

test('words of the search go with the last customer who has them', async () => {
  const { businessId, caller } = await fixture.business()
  const made = await Promise.all(
    ['Zephyrine Chan', 'Ada Chan'].map((name) =>
      customers.create(caller, { reference_number: newId('ref'), name, phone: '5550100' }),
    ),
  )
  const [erased] = made.map(({ customer }) => customer.uuid)
  await moduleWith().erase(caller, erased ?? '')
  await run(moduleWith(), businessId, 0)
  const { rows } = await admin.query<{ word: string }>(
    'select distinct word from customer_word_keys where business_id = $1 order by 1',
    [businessId],
  )
  expect(rows.map(({ word }) => word)).toEqual(['ada', 'chan', 'erased'])
})

// Proves reference/personal-data#retention.
test('retention erases customers without activity, and passes over those that are held or active', async () => {
  const { businessId, caller } = await fixture.business()
  const module = moduleWith()
  const [idle, held, buying, fresh] = await Promise.all(
    [1, 2, 3, 4].map(async () => (await newCustomer(fixture, caller)).uuid),
  )
  await admin.query(
    `update customers set created_at = now() - interval '400 days', updated_at = now() - interval '400 days'
      where business_id = $1 and uuid <> $2`,
    [businessId, fresh],
  )
  await module.hold(caller, held ?? '', 'Case 7')
  await insertOrders(businessId, buying ?? '', 1)
  await module.setRetention(caller, 365)
  await module.jobs[1]?.run({
    businessId,
    until: realClock.now().add({ seconds: 1 }),
    timeOf: (at) => at,
  })
  const { erasures } = await module.erasures(caller, {
    list: 'erasures',
    offset: 0,
    limit: 10,
    after: undefined,
  })
  expect(erasures).toMatchObject([{ customer_uuid: idle, cause: 'retention' }])
  expect(await breaches(businessId)).toEqual([])
  await module.setRetention(caller, null)
  expect(await module.retention(caller)).toEqual({ retention: { customer_days: null } })
})

// Proves reference/operations#verify.
test('verify finds an erasure that left something, and one that nobody would go on with', async () => {
  const { businessId, caller } = await fixture.business()
  const { uuid } = await newCustomer(fixture, caller)
  await moduleWith().erase(caller, uuid)
  await admin.query(`delete from next_runs where business_id = $1`, [businessId])
  const found = new Set((await breaches(businessId)).map(({ rule }) => rule))
  await run(moduleWith(), businessId, 0)
  await admin.query(`update customers set email = 'a@b.example' where business_id = $1`, [businessId])
  for (const { rule } of await breaches(businessId)) found.add(rule)
  await insertOrders(businessId, uuid, 1, 'open')
  await admin.query(`delete from erasures where business_id = $1`, [businessId])
  for (const { rule } of await breaches(businessId)) found.add(rule)
  expect(found).toEqual(new Set(Object.keys(RULES)))
})

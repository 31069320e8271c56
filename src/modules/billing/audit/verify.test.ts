import { expect, test } from 'vitest'
import { rebuildSchedule } from '#platform/jobs/jobs'
import { resumeClock } from '#platform/testing/clock'
import { adminOf } from '#platform/testing/database'
import { asJson, CARDS, createFixture, Shop } from '../testing/fixture.ts'
import { RULES } from './verify.ts'

const fixture = await createFixture()

/** A plan with two paid orders, in a shop whose clock runs. */
async function planWithPaidOrders() {
  const shop = await Shop.open(fixture, '2031-01-10T04:00:00Z')
  const { businessId } = shop.caller
  const { coupon } = asJson(
    await fixture.recurring.createCoupon(shop.caller, { name: 'Welcome', percent_off: 5, times: 1 }),
  )
  const { promotion_code: code } = asJson(
    await fixture.recurring.createPromotionCode(shop.caller, { coupon_id: coupon.id, code: 'WELCOME' }),
  )
  const { id: planId } = await shop.plan(await shop.customer(CARDS.good), { coupons: [code.code] })
  await shop.advance('2031-02-10T04:00:00Z')
  await resumeClock(fixture.db, businessId)
  await fixture.db.transact(businessId, (tx) => rebuildSchedule(tx, fixture.jobs))
  const orderId = (await shop.get(planId)).current_order?.order_number
  const lowered = (await shop.orders(planId))[0]?.number
  return {
    shop,
    businessId,
    ids: { plan: planId, order: orderId, lowered, coupon: coupon.id, code: code.id },
  }
}

// Proves reference/operations#verify, reference/recurring#cycles.
test('a plan that has been due for hours breaks no rule while its run is scheduled, because no service may be running', async () => {
  const { shop, businessId, ids } = await planWithPaidOrders()
  const node = await adminOf(fixture, businessId)
  await node.query(
    `update recurring_plans set due_at = due_at - interval '1 month' - interval '3 hours' where id = $1`,
    [ids.plan],
  )
  await node.query('update next_runs set due_at = now() where business_id = $1', [businessId])
  expect(await shop.breaches()).toEqual([])
})

// Proves reference/operations#verify, reference/billing-lifecycle#reactivate.
test('a plan that is canceled as its period begins and reactivated at once breaks no rule', async () => {
  const start = '2031-01-10T04:00:00Z'
  const shop = await Shop.open(fixture, start)
  const { id } = await shop.plan(await shop.customer(CARDS.good))
  await shop.advance(start)
  await fixture.recurring.cancel(shop.caller, id, false)
  await fixture.recurring.reactivate(shop.caller, id, 'now')
  await shop.advance(start)
  expect((await shop.orders(id)).map(({ created_at: at }) => at)).toEqual(
    Array(2).fill('2031-01-10T04:00:00.000Z'),
  )
  expect(await shop.breaches()).toEqual([])
})

const plan = (change: string) => ['plan', `update recurring_plans set ${change} where id = $1`] as const
const cycle = (change: string) =>
  ['plan', `update recurring_cycles set ${change} where plan_id = $1`] as const
const planCoupon = (change: string) =>
  ['plan', `update recurring_plan_coupons set ${change} where plan_id = $1`] as const
const planOrder = (change: string) =>
  ['order', `update recurring_orders set ${change} where order_id = $1`] as const
const order = (change: string) => ['order', `update orders set ${change} where id = $1`] as const

/**
 * A statement that breaks the rule, and what the breach names: the plan, its newest order, the order that its coupon lowered,
 * the coupon, or the coupon's code.
 */
const BREAKS: readonly (readonly [
  rule: string,
  what: 'plan' | 'order' | 'lowered' | 'coupon' | 'code',
  statement: string,
])[] = [
  ['changes_that_wait_follow_their_payment', ...planOrder(`paid_first = 'dropped'`)],
  ['changes_that_wait_follow_their_payment', ...planOrder(`paid_first = 'waiting'`)],
  [
    'changes_that_wait_follow_their_payment',
    ...plan(`pending_change = '{"payment": {"order_id": "ord_missing"}}'`),
  ],
  ['plan_state_is_of_current_cycle', ...plan(`state = 'paused'`)],
  ['plan_state_is_of_current_cycle', ...plan('current_cycle = 1')],
  ['billing_count_created_counts_orders', ...cycle('orders_created = orders_created + 1')],
  ['order_suffixes_increase_with_periods', ...planOrder('suffix = 1')],
  ['order_suffixes_increase_with_periods', ...planOrder(`period_start = period_start - interval '2 months'`)],
  [
    'order_suffixes_increase_with_periods',
    ...planOrder(`period_start = (select start_at from recurring_plans where id = plan_id)`),
  ],
  ['plan_knows_its_newest_order', ...plan('last_suffix = last_suffix + 1')],
  ['plan_knows_its_newest_order', ...plan('current_order_id = null')],
  ['credit_balance_is_grants_less_use', ...plan('credit_minor = credit_minor + 1')],
  [
    'plans_give_back_what_they_got',
    'plan',
    `insert into recurring_credits (business_id, id, plan_id, amount_minor, created_at, order_id)
     select business_id, 'rcr_1', id, 1e6, now(), current_order_id from recurring_plans where id = $1`,
  ],
  ['orders_give_back_what_they_got', ...planOrder('credit_given_minor = 1e6')],
  [
    'orders_give_back_nothing_of_what_disputes_lost',
    'order',
    `with lost as (update transactions set lost_minor = 1e6 where order_id = $1)
     update recurring_orders set credit_given_minor = 1 where order_id = $1`,
  ],
  ['credit_of_orders_is_its_rows', ...planOrder('credit_given_minor = 1')],
  ['attempts_end_with_the_order', ...planOrder('attempts = 101')],
  [
    'attempts_end_with_the_order',
    ...planOrder(`state = 'open', retries_exhausted = true, next_attempt_at = now()`),
  ],
  [
    'attempts_end_with_the_order',
    ...planOrder(`state = 'open', attempt_transaction = 'txn_1', next_attempt_at = now()`),
  ],
  ['what_an_order_waits_for_is_under_way', ...planOrder(`state = 'open', blocked = true`)],
  [
    'what_an_order_waits_for_is_under_way',
    ...planOrder(`state = 'open', attempt_transaction = (select id from transactions where order_id = $1)`),
  ],
  ['credit_used_is_a_line_of_the_order', ...planOrder('credit_minor = credit_minor + 1')],
  ['plan_order_agrees_with_its_order', ...planOrder(`state = 'open'`)],
  ['plan_order_agrees_with_its_order', ...planOrder(`state = 'voided'`)],
  ['plan_order_agrees_with_its_order', ...planOrder('suffix = 3')],
  ['plan_order_agrees_with_its_order', ...order(`state = 'open'`)],
  ['plan_order_agrees_with_its_order', ...order(`type = 'one_off'`)],
  [
    'plan_order_agrees_with_its_order',
    'order',
    `with gone as (delete from transactions where order_id = $1) delete from orders where id = $1`,
  ],
  ['exhausted_orders_make_uncollectible', ...planOrder(`state = 'open', retries_exhausted = true`)],
  [
    'a_trial_comes_before_the_first_period',
    ...plan(
      `trial_end_at = start_at, trial_state = 'running', trial_without_token = 'bill', trial_notice_days = 0`,
    ),
  ],
  [
    'waiting_orders_are_due_by_their_policy',
    ...planOrder(`state = 'open', dunning = '{"waits": true}', next_attempt_at = null`),
  ],
  ['next_execute_time_agrees_with_state', ...plan(`state = 'paused'`)],
  ['next_execute_time_agrees_with_state', ...plan('due_at = null, due_kind = null')],
  [
    'next_execute_time_agrees_with_state',
    ...plan(`state = 'upcoming', next_execute_at = null, due_at = null, due_kind = null`),
  ],
  ['completed_cycles_have_no_open_orders', ...cycle(`state = 'completed'`)],
  [
    'completed_cycles_have_no_open_orders',
    'plan',
    `with ended as (update recurring_cycles set state = 'completed', end_at = now() where plan_id = $1)
     update recurring_orders set state = 'open', attempts = 0, next_attempt_at = now() where plan_id = $1`,
  ],
  ['coupon_redemptions_are_rows', 'coupon', 'update coupons set redemptions = redemptions + 1 where id = $1'],
  ['coupon_redemptions_are_rows', 'coupon', 'delete from recurring_plan_coupons where coupon_id = $1'],
  [
    'promotion_code_redemptions_are_rows',
    'code',
    'update recurring_plan_coupons set promotion_code_id = null where promotion_code_id = $1',
  ],
  ['coupons_lower_their_times', ...planCoupon('periods_lowered = 2')],
  ['coupons_lower_their_times', ...planCoupon('lowered_period = null')],
  ...['1', '-'].map(
    (digit) =>
      [
        'shares_of_coupons_sum_to_their_lines',
        'lowered',
        `update orders set line_items = regexp_replace(line_items::text, '("net_minor" *: *")', '\\1${digit}')::json
          where id = $1`,
      ] as const,
  ),
  ['plans_with_coupons_are_marked', ...plan('has_coupons = false')],
  ['moved_overpayments_are_credit', ...order('moved_to_credit_minor = 1')],
  ['taxes_sum', ...order(`tax = '{"behavior": "exclusive", "groups": [{"amount_minor": "1"}]}'`)],
  ['plans_have_their_terms', 'plan', 'delete from recurring_plan_terms where plan_id = $1'],
  [
    'due_work_has_a_head',
    'plan',
    'delete from next_runs where business_id = (select business_id from recurring_plans where id = $1)',
  ],
]

test('every rule has a statement that breaks it', () => {
  expect(new Set(BREAKS.map(([rule]) => rule))).toEqual(new Set(Object.keys(RULES)))
})

test.each(BREAKS)('a breach of %s is found', async (rule, what, statement) => {
  const { shop, businessId, ids } = await planWithPaidOrders()
  expect(await shop.breaches()).toEqual([])
  const object = ids[what]
  const node = await adminOf(fixture, businessId)
  await node.query(statement, [object])
  const found = (await shop.breaches()).map((breach) => [breach.rule, breach.object])
  expect(found).toContainEqual([rule, object])
})

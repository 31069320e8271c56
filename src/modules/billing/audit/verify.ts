import sql from 'sql-template-tag'
import type { Database } from '#platform/postgres/database'
import { brokenRules, type Rules, type Verification } from '#platform/verify'
import { dueWithoutNextRun } from '#platform/jobs/verify-jobs'
import { objectsWithoutTerms } from '#platform/search/term-index'
import { LABELS, PLAN_NAMES, RECURRING_JOB } from '#modules/plans'

/**
 * An order keeps the credit that it used unless its void gave that back: one of which nothing was owed any more keeps it. `o` is the
 * order, `r` its row under the plan.
 */
const KEEPS_ITS_CREDIT = sql`
  r.state <> 'voided' or o.credit_returned_minor is null`

export const RULES: Rules = {
  plan_state_is_of_current_cycle: (businessId) => sql`
    select p.id as object, 'plan ' || p.state || ', cycle ' || coalesce(c.state, 'missing') as detail
      from recurring_plans p
      left join recurring_cycles c
        on c.business_id = p.business_id and c.plan_id = p.id and c.position = p.current_cycle
     where p.business_id = ${businessId} and p.state is distinct from c.state`,
  billing_count_created_counts_orders: (businessId) => sql`
    select c.plan_id as object,
           'cycle ' || c.position || ' counts ' || c.orders_created || ' of ' || coalesce(o.made, 0) || ' orders' as detail
      from recurring_cycles c
      left join (select plan_id, cycle_position, count(*) as made from recurring_orders
                  where business_id = ${businessId} and counted group by plan_id, cycle_position) o
        on o.plan_id = c.plan_id and o.cycle_position = c.position
     where c.business_id = ${businessId} and c.orders_created <> coalesce(o.made, 0)`,
  // A plan that was canceled as its period began and is reactivated in the same second has two cycles that begin with it.
  order_suffixes_increase_with_periods: (businessId) => sql`
    select order_id as object, 'suffix ' || suffix || ' of plan ' || o.plan_id as detail
      from (select order_id, plan_id, suffix, period_start, counted, cycle_position,
                   lag(suffix) over plan as previous, lag(period_start) over plan as previous_period,
                   lag(cycle_position) over plan as previous_cycle
              from recurring_orders where business_id = ${businessId}
            window plan as (partition by plan_id order by suffix, period_start)) o
      left join recurring_cycles c
        on c.business_id = ${businessId} and c.plan_id = o.plan_id and c.position = o.previous_cycle
           and c.position < o.cycle_position and c.state = 'canceled' and c.end_at = o.period_start
     where previous = suffix or previous_period > period_start
        or counted and previous_period = period_start and c.position is null`,
  plan_knows_its_newest_order: (businessId) => sql`
    select p.id as object, 'last suffix ' || p.last_suffix || ', newest order ' || coalesce(o.suffix, 0) as detail
      from recurring_plans p
      left join (select plan_id, max(suffix) as suffix, (array_agg(order_id order by suffix desc) filter (where paid_first is null or paid_first = 'applied'))[1] as order_id
                   from recurring_orders where business_id = ${businessId} group by plan_id) o on o.plan_id = p.id
     where p.business_id = ${businessId}
       and (p.last_suffix <> coalesce(o.suffix, 0) or p.current_order_id is distinct from o.order_id)`,
  // A change that is charged first takes place exactly if its order is paid.
  changes_that_wait_follow_their_payment: (businessId) => sql`
    select r.order_id as object, 'change ' || r.paid_first || ', order ' || o.state || ', paid ' || o.paid_total_minor as detail
      from recurring_orders r
      join orders o on o.business_id = ${businessId} and o.id = r.order_id
      join recurring_plans p on p.business_id = ${businessId} and p.id = r.plan_id
     where r.business_id = ${businessId} and r.paid_first is not null
       and not case r.paid_first
                 when 'waiting' then o.state = 'open' and o.void_mode is null and r.void_at is not null
                                     and p.pending_change -> 'payment' ->> 'order_id' = r.order_id
                 when 'dropped' then o.void_mode is not null or o.state = 'voided' and o.paid_total_minor <= 0
                 else r.state <> 'voided' or exists (select from transactions t
                                                      where t.business_id = ${businessId} and t.order_id = r.order_id
                                                        and t.succeeded_at is not null) end
    union all
    select p.id, 'waits for order ' || (p.pending_change -> 'payment' ->> 'order_id')
      from recurring_plans p
     where p.business_id = ${businessId} and p.pending_change -> 'payment' is not null
       and not exists (select from recurring_orders r
                        where r.business_id = ${businessId} and r.plan_id = p.id and r.paid_first = 'waiting'
                          and r.order_id = p.pending_change -> 'payment' ->> 'order_id')`,
  credit_balance_is_grants_less_use: (businessId) => sql`
    select p.id as object,
           'credit ' || p.credit_minor || ', granted ' || coalesce(g.granted, 0) || ', used ' || coalesce(u.used, 0) as detail
      from recurring_plans p
      left join (select plan_id, sum(amount_minor) as granted from recurring_credits
                  where business_id = ${businessId} group by plan_id) g on g.plan_id = p.id
      left join (select r.plan_id, sum(r.credit_minor) as used
                   from recurring_orders r
                   left join orders o on o.business_id = ${businessId} and o.id = r.order_id
                  where r.business_id = ${businessId} and (${KEEPS_ITS_CREDIT})
                  group by r.plan_id) u on u.plan_id = p.id
     where p.business_id = ${businessId} and p.credit_minor <> coalesce(g.granted, 0) - coalesce(u.used, 0)`,
  // A refund lowers what was paid for an order, and grants by hand come from no payment. A missing part is allowed here, because
  // `attention` lists it.
  plans_give_back_what_they_got: (businessId) => sql`
    select p.id as object,
           'gave ' || g.given || ' of credit, was paid ' || coalesce(o.paid, 0) || ', used ' || coalesce(o.used, 0) as detail
      from recurring_plans p
      join (select plan_id, sum(amount_minor) as given from recurring_credits
             where business_id = ${businessId} and order_id is not null group by plan_id) g on g.plan_id = p.id
      left join (select r.plan_id, sum(greatest(o.paid_total_minor, 0)) as paid,
                        sum(r.credit_minor) filter (where ${KEEPS_ITS_CREDIT}) as used, sum(r.credit_missing_minor) as missing
                   from recurring_orders r
                   left join orders o on o.business_id = ${businessId} and o.id = r.order_id
                  where r.business_id = ${businessId} group by r.plan_id) o on o.plan_id = p.id
     where p.business_id = ${businessId} and g.given > coalesce(o.paid, 0) + coalesce(o.used, 0) + coalesce(o.missing, 0)`,
  // What was paid is less refunds and repayments.
  orders_give_back_what_they_got: (businessId) => sql`
    select o.id as object,
           'gave ' || coalesce(r.credit_given_minor, 0) || ' of credit, moved ' || coalesce(o.moved_to_credit_minor, 0)
             || ', was paid ' || o.paid_total_minor || ', used ' || coalesce(r.credit_minor, 0) as detail
      from orders o
      left join recurring_orders r on r.business_id = ${businessId} and r.order_id = o.id
     where o.business_id = ${businessId} and (r.credit_given_minor is not null or o.moved_to_credit_minor is not null)
       and not exists (select 1 from transactions t
                        where t.business_id = ${businessId} and t.order_id = o.id and t.decline_code = 'failed_later'
                          and o.moved_to_credit_minor > 0)
       and coalesce(r.credit_given_minor, 0) - coalesce(r.credit_missing_minor, 0) + coalesce(o.moved_to_credit_minor, 0)
           > greatest(o.paid_total_minor, 0)
             + case when r.order_id is not null and (${KEEPS_ITS_CREDIT}) then r.credit_minor else 0 end`,
  // A missing part is under attention.
  orders_give_back_nothing_of_what_disputes_lost: (businessId) => sql`
    select o.id as object,
           'gave ' || r.credit_given_minor || ' of credit, was paid ' || o.paid_total_minor || ', lost ' || t.lost || ', used '
             || coalesce(r.credit_minor, 0) as detail
      from recurring_orders r
      join orders o on o.business_id = ${businessId} and o.id = r.order_id
      join (select order_id, sum(lost_minor) as lost from transactions
             where business_id = ${businessId} and lost_minor is not null group by order_id) t on t.order_id = r.order_id
     where r.business_id = ${businessId}
       and r.credit_given_minor - coalesce(r.credit_missing_minor, 0)
           > greatest(o.paid_total_minor + case when ${KEEPS_ITS_CREDIT} then r.credit_minor else 0 end - t.lost, 0)`,
  moved_overpayments_are_credit: (businessId) => sql`
    select coalesce(o.id, c.moved_from) as object,
           'moved ' || coalesce(o.moved_to_credit_minor, 0) || ', credit of plans ' || coalesce(c.amount, 0) as detail
      from (select id, moved_to_credit_minor from orders
             where business_id = ${businessId} and moved_to_credit_minor is not null) o
      full join (select moved_from, sum(amount_minor) as amount from recurring_credits
                  where business_id = ${businessId} and moved_from is not null group by moved_from) c on c.moved_from = o.id
     where o.moved_to_credit_minor is distinct from c.amount`,
  credit_of_orders_is_its_rows: (businessId) => sql`
    select r.order_id as object, 'gave ' || coalesce(r.credit_given_minor, 0) || ', rows ' || coalesce(c.given, 0) as detail
      from recurring_orders r
      left join (select order_id, sum(amount_minor) as given from recurring_credits
                  where business_id = ${businessId} and order_id is not null group by order_id) c on c.order_id = r.order_id
     where r.business_id = ${businessId} and coalesce(r.credit_given_minor, 0) <> coalesce(c.given, 0)`,
  attempts_end_with_the_order: (businessId) => sql`
    select o.order_id as object, 'state ' || o.state || ', ' || o.attempts || ' attempts' as detail
      from recurring_orders o
     where o.business_id = ${businessId}
       and (o.attempts > 100 or (o.retries_exhausted and o.next_attempt_at is not null)
            or (o.attempt_transaction is not null and o.next_attempt_at is not null))`,
  // Otherwise the order is never attempted again. This rule and those below read tables of the payments module.
  what_an_order_waits_for_is_under_way: (businessId) => sql`
    select r.order_id as object,
           case when t.id is null and r.attempt_transaction is not null then 'attempt ' || r.attempt_transaction || ' has ended'
                else 'no payment and no void is in progress' end as detail
      from recurring_orders r
      left join transactions t
        on t.business_id = ${businessId} and t.id = r.attempt_transaction and t.order_id = r.order_id
           and t.state in ('initiated', 'pending', 'requires_action', 'unknown')
      left join orders o
        on o.business_id = ${businessId} and o.id = r.order_id and (o.reserved_minor > 0 or o.void_mode is not null)
     where r.business_id = ${businessId}
       and (r.attempt_transaction is not null and t.id is null or r.blocked and o.id is null)`,
  credit_used_is_a_line_of_the_order: (businessId) => sql`
    select r.order_id as object, 'credit used ' || r.credit_minor || ', lines ' || coalesce(l.credit, 0) as detail
      from recurring_orders r
      left join (select o.id, -sum((line ->> 'price_minor')::numeric) as credit
                   from orders o
                  cross join json_array_elements(o.line_items) as line
                  where o.business_id = ${businessId} and o.type = 'recurring'
                    and line ->> 'label' = ${LABELS.credit} and (line ->> 'price_minor')::numeric < 0
                  group by o.id) l on l.id = r.order_id
     where r.business_id = ${businessId} and r.credit_minor <> coalesce(l.credit, 0)`,
  // Replaces a foreign key to a table of another module.
  plan_order_agrees_with_its_order: (businessId) => sql`
    select r.order_id as object, r.state || ' under the plan, itself ' || coalesce(o.state, 'missing') as detail
      from recurring_orders r
      left join orders o on o.business_id = r.business_id and o.id = r.order_id
     where r.business_id = ${businessId}
       and (o.id is null or o.type <> 'recurring' or not o.reference_number like '%-' || r.suffix
            or not case r.state when 'open' then o.state = 'open'
                                when 'paid' then o.state in ('completed', 'refunded') or o.void_mode is not null
                                else o.state = 'voided' end)`,
  exhausted_orders_make_uncollectible: (businessId) => sql`
    select o.order_id as object, 'plan ' || p.id || ' is ' || p.state as detail
      from recurring_orders o
      join recurring_plans p on p.business_id = o.business_id and p.id = o.plan_id
      join recurring_cycles c
        on c.business_id = o.business_id and c.plan_id = o.plan_id and c.position = o.cycle_position
     where o.business_id = ${businessId} and o.state = 'open' and o.retries_exhausted
       and not p.uncollectible and p.state <> 'canceled' and c.state <> 'canceled'
       and p.invoicing ->> 'collection' is distinct from 'send_invoice'
       and p.cancel_at is distinct from p.due_at`,
  a_trial_comes_before_the_first_period: (businessId) => sql`
    select p.id as object, 'trial ' || p.trial_state || ', plan ' || p.state as detail
      from recurring_plans p
      join recurring_cycles c
        on c.business_id = p.business_id and c.plan_id = p.id and c.position = p.current_cycle
     where p.business_id = ${businessId}
       and (p.trial_state in ('running', 'ended') and (c.start_at is not null or p.state not in ('upcoming', 'paused'))
            or p.trial_state = 'ended' and not p.paused)`,
  waiting_orders_are_due_by_their_policy: (businessId) => sql`
    select o.order_id as object, 'waits for a token, next attempt ' || coalesce(o.next_attempt_at::text, 'none') as detail
      from recurring_orders o
      join recurring_cycles c
        on c.business_id = o.business_id and c.plan_id = o.plan_id and c.position = o.cycle_position
     where o.business_id = ${businessId} and o.state = 'open' and (o.dunning ->> 'waits')::boolean
       and not o.retries_exhausted and c.state <> 'canceled'
       and (o.next_attempt_at is null or o.attempt_transaction is not null)`,
  next_execute_time_agrees_with_state: (businessId) => sql`
    select p.id as object, 'state ' || p.state || ', next_execute_time ' || coalesce(p.next_execute_at::text, 'null') as detail
      from recurring_plans p
     where p.business_id = ${businessId}
       and ((p.state in ('paused', 'canceled', 'uncollectible') and p.next_execute_at is not null)
            or (p.next_execute_at is not null and p.due_at is null)
            or (p.state = 'upcoming' and p.due_at is null))`,
  completed_cycles_have_no_open_orders: (businessId) => sql`
    select c.plan_id as object, 'cycle ' || c.position || ' is completed' as detail
      from recurring_cycles c
     where c.business_id = ${businessId} and c.state = 'completed'
       and (c.end_at is null
            or exists (select 1 from recurring_orders o
                        where o.business_id = c.business_id and o.plan_id = c.plan_id and o.state = 'open'
                          and o.cycle_position = c.position and o.next_attempt_at is not null))`,
  coupon_redemptions_are_rows: (businessId) => sql`
    select c.id as object, c.redemptions || ' redemptions, ' || count(a.coupon_id) || ' rows' as detail
      from coupons c
      left join recurring_plan_coupons a on a.business_id = c.business_id and a.coupon_id = c.id
     where c.business_id = ${businessId}
     group by c.id, c.redemptions, c.max_redemptions
    having c.redemptions <> count(a.coupon_id) or count(a.coupon_id) > c.max_redemptions`,
  promotion_code_redemptions_are_rows: (businessId) => sql`
    select c.id as object, c.redemptions || ' redemptions, ' || count(a.promotion_code_id) || ' rows' as detail
      from promotion_codes c
      left join recurring_plan_coupons a on a.business_id = c.business_id and a.promotion_code_id = c.id
     where c.business_id = ${businessId}
     group by c.id, c.redemptions, c.max_redemptions
    having c.redemptions <> count(a.promotion_code_id) or count(a.promotion_code_id) > c.max_redemptions`,
  coupons_lower_their_times: (businessId) => sql`
    select a.plan_id as object, 'coupon ' || c.id || ' lowered ' || a.periods_lowered || ' of ' || c.times as detail
      from recurring_plan_coupons a
      join coupons c on c.business_id = a.business_id and c.id = a.coupon_id
     where a.business_id = ${businessId}
       and (a.periods_lowered > c.times or (a.periods_lowered = 0) <> (a.lowered_period is null))`,
  shares_of_coupons_sum_to_their_lines: (businessId) => sql`
    select l.id as object, 'shares ' || coalesce(l.shares::text, 'none') || ', lines leave ' || l.rest as detail
      from (select o.id,
                   sum((line ->> 'net_minor')::numeric) filter (where line ->> 'kind' = 'item') as shares,
                   min((line ->> 'net_minor')::numeric) filter (where line ->> 'kind' = 'item') as least,
                   sum((line ->> 'price_minor')::numeric * (line ->> 'quantity')::numeric)
                     filter (where line ->> 'kind' in ('item', 'proration', 'discount', 'coupon')) as rest
              from orders o
             cross join json_array_elements(o.line_items) as line
             where o.business_id = ${businessId} and o.type = 'recurring'
             group by o.id having bool_or(line ->> 'kind' = 'coupon')) l
     where l.shares is distinct from l.rest or l.least < 0`,
  // Billing reads the coupons of marked plans only.
  plans_with_coupons_are_marked: (businessId) => sql`
    select p.id as object, 'has coupons' as detail from recurring_plans p
     where p.business_id = ${businessId} and not p.has_coupons
       and exists (select from recurring_plan_coupons a where a.business_id = p.business_id and a.plan_id = p.id)`,
  taxes_sum: (businessId) => sql`
    select o.id as object, 'groups ' || g.amount || ', lines of tax ' || l.added || ', shares of lines ' || l.shares as detail
      from orders o
     cross join lateral (select coalesce(sum((one ->> 'amount_minor')::numeric), 0) as amount
                           from json_array_elements(o.tax -> 'groups') as one) g
     cross join lateral (select coalesce(sum((line ->> 'price_minor')::numeric) filter (where line ->> 'kind' = 'tax'), 0) as added,
                                coalesce(sum((line ->> 'tax_minor')::numeric), 0) as shares
                           from json_array_elements(o.line_items) as line) l
     where o.business_id = ${businessId} and o.tax is not null
       and (g.amount <> l.shares
            or l.added <> case o.tax ->> 'behavior' when 'exclusive' then g.amount else 0 end
               -- A reissue taxes the lines anew and leaves those of tax as they were ordered.
               and not exists (select from invoices i
                                where i.business_id = ${businessId} and i.order_id = o.id and i.replaces is not null))`,
  plans_have_their_terms: (businessId) => objectsWithoutTerms(PLAN_NAMES, businessId),
  due_work_has_a_head: (businessId) =>
    dueWithoutNextRun(businessId, [
      {
        name: RECURRING_JOB,
        rows: sql`
          select id as object, due_at from recurring_plans where business_id = ${businessId} and due_at is not null`,
      },
    ]),
}

export function verifyBilling(db: Database): Verification {
  return (businessId) => brokenRules(db, businessId, RULES)
}

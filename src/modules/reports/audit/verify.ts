import sql from 'sql-template-tag'
import { dueWithoutNextRun } from '#platform/jobs/verify-jobs'
import type { Database } from '#platform/postgres/database'
import { brokenRules, type Rules, type Verification } from '#platform/verify'
import { REPORT_DAYS, REPORT_PLANS } from '../job-names.ts'
import { FOLD_DELAY_SECONDS } from '../storage/fact.repository.ts'

const RULES: Rules = {
  totals_of_a_day_equal_its_transactions: (businessId) => sql`
    with zone as (select time_zone from businesses where business_id = ${businessId}),
    counted as (
      select currency, day, sum(paid) as paid, sum(refunded) as refunded, sum(approved) as approved,
             sum(declined) as declined, sum(recurring) as recurring
        from (select currency, day, paid_minor as paid, refunded_minor as refunded, approved, declined,
                     recurring_paid_minor as recurring
                from report_days where business_id = ${businessId}
              union all
              select currency, (day_at at time zone zone.time_zone)::date, paid_minor, refunded_minor, approved, declined,
                     recurring_paid_minor
                from report_facts, zone where business_id = ${businessId}) one
       group by currency, day),
    moved as (
      select currency, day, sum(paid) as paid, sum(refunded) as refunded, sum(approved) as approved,
             sum(declined) as declined, sum(recurring) as recurring
        from (select t.currency, coalesce(t.value_date, (t.succeeded_at at time zone zone.time_zone)::date) as day,
                     case when t.type = 'Refund' then 0 else t.amount_minor end as paid,
                     case when t.type = 'Refund' then -t.amount_minor else 0 end as refunded, 0 as approved,
                     0 as declined,
                     case when t.type <> 'Refund' and o.type = 'recurring' then t.amount_minor else 0 end as recurring
                from transactions t
                join orders o on o.business_id = t.business_id and o.id = t.order_id
               cross join zone
               where t.business_id = ${businessId} and t.type <> 'Authorization'
                 and (t.state = 'succeeded' or t.returned_on is not null)
              union all
              select t.currency, t.returned_on, 0, t.amount_minor, 0, 0, 0
                from transactions t
               where t.business_id = ${businessId} and t.returned_on is not null
              union all
              select t.currency, (t.created_at at time zone zone.time_zone)::date, 0, 0,
                     case when t.succeeded_at is null then 0 else 1 end, case when t.state = 'failed' and t.succeeded_at is null then 1 else 0 end, 0
                from transactions t
               cross join zone
               where t.business_id = ${businessId} and t.type in ('Sales', 'Authorization')
                 and t.acquirer_name not in ('bank', 'manual') and (t.succeeded_at is not null or t.state = 'failed')) one
       group by currency, day)
    select coalesce(c.day, m.day) || ' ' || coalesce(c.currency, m.currency) as object,
           'counted ' || row(c.paid, c.refunded, c.approved, c.declined, c.recurring)::text || ', transactions '
             || row(m.paid, m.refunded, m.approved, m.declined, m.recurring)::text as detail
      from counted c
      full join moved m on m.currency = c.currency and m.day = c.day
     where coalesce(c.paid, 0) <> coalesce(m.paid, 0) or coalesce(c.refunded, 0) <> coalesce(m.refunded, 0)
        or coalesce(c.approved, 0) <> coalesce(m.approved, 0) or coalesce(c.declined, 0) <> coalesce(m.declined, 0)
        or coalesce(c.recurring, 0) <> coalesce(m.recurring, 0)`,
  due_work_has_a_head: (businessId) =>
    dueWithoutNextRun(businessId, [
      {
        name: REPORT_DAYS,
        clock: 'real',
        rows: sql`select id as object, queued_at + ${FOLD_DELAY_SECONDS}::int * interval '1 second' as due_at
                    from report_facts where business_id = ${businessId}`,
      },
      {
        name: REPORT_PLANS,
        clock: 'real',
        rows: sql`select business_id as object, due_at from report_plans
                   where business_id = ${businessId} and due_at is not null`,
      },
    ]),
}

export function verifyReports(db: Database): Verification {
  return (businessId) => brokenRules(db, businessId, RULES)
}

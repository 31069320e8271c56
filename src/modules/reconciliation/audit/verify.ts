import sql from 'sql-template-tag'
import { realClock, toRfc3339 } from '#kernel/clock'
import type { Database } from '#platform/postgres/database'
import { brokenRules, type Rules, type Verification } from '#platform/verify'
import { dueWithoutNextRun } from '#platform/jobs/verify-jobs'
import { RECONCILIATIONS } from '../job-names.ts'

/** Younger differences may still resolve: outcomes may be unknown yet, and lines may be booked late. */
const GRACE_DAYS = 3

export const RULES: Rules = {
  acquirer_books_match: (businessId) => sql`
    select e.id as object,
           e.result || ': ' || e.type || ' ' || coalesce(e.reference, '') || ' of ' || e.gross_minor || ' ' || e.currency
           || ' (minor units)' || coalesce(', ours is ' || e.expected_minor || ' ' || e.expected_currency, '')
           || coalesce(', order ' || e.order_id, '') as detail
      from reconciliation_entries e
     where e.business_id = ${businessId} and e.result in ('missing_here', 'missing_there', 'different_amount')
       and least(e.created_at, e.found_at) < ${graceEnd()}::timestamptz
     union all
    select r.id, 'payout ' || r.payout_id || ' of ' || r.payout_minor || ' ' || r.payout_currency
           || ' (minor units), its lines sum to ' || coalesce(t.net, 0)
      from reconciliations r
      left join (select reconciliation_id, currency, sum(net_minor) as net from reconciliation_totals
                  where business_id = ${businessId} and type <> 'payout'
                  group by reconciliation_id, currency) t
        on t.reconciliation_id = r.id and t.currency = r.payout_currency
     where r.business_id = ${businessId} and r.lines = 'complete' and r.created_at < ${graceEnd()}::timestamptz
       and coalesce(t.net, 0) <> r.payout_minor
     union all
    select account_id, 'its books have not been compared since ' || coalesce(completed_run, connected_at)
           || coalesce(': ' || problem, '')
      from reconciliation_runs
     where business_id = ${businessId} and coalesce(completed_run, connected_at) < ${graceEnd()}::timestamptz`,
  reconciliation_totals_add_up: (businessId) => sql`
    select coalesce(t.reconciliation_id, e.reconciliation_id) as object,
           concat_ws(' ', coalesce(t.type, e.type), coalesce(t.result, e.result), coalesce(t.currency, e.currency),
                     'total', coalesce(t.entries, 0), t.gross_minor, t.fee_minor, t.net_minor,
                     'entries', coalesce(e.entries, 0), e.gross_minor, e.fee_minor, e.net_minor) as detail
      from (select reconciliation_id, type, result, currency, entries, gross_minor, fee_minor, net_minor
              from reconciliation_totals where business_id = ${businessId} and entries <> 0) t
      full join (select reconciliation_id, type, result, currency, count(*) as entries, sum(gross_minor) as gross_minor,
                        sum(fee_minor) as fee_minor, sum(net_minor) as net_minor
                   from reconciliation_entries where business_id = ${businessId}
                  group by reconciliation_id, type, result, currency) e
        on e.reconciliation_id = t.reconciliation_id and e.type = t.type and e.result = t.result and e.currency = t.currency
     where (t.entries, t.gross_minor, t.fee_minor, t.net_minor)
           is distinct from (e.entries, e.gross_minor, e.fee_minor, e.net_minor)`,
  settled_days_add_up: (businessId) => sql`
    select coalesce(d.currency, e.currency) as object,
           concat_ws(' ', 'days: fees', coalesce(d.fee_minor, 0), 'payments', coalesce(d.paid_minor, 0),
                     'lines:', coalesce(e.fee_minor, 0), coalesce(e.paid_minor, 0)) as detail
      from (select currency, sum(fee_minor) as fee_minor, sum(paid_minor) as paid_minor
              from reconciliation_days where business_id = ${businessId} group by currency) d
      full join (
        select currency, sum(fee_minor) as fee_minor, sum(paid_minor) as paid_minor
          from (select currency, case when type = 'fee' then -net_minor else fee_minor end as fee_minor, 0 as paid_minor
                  from reconciliation_entries where business_id = ${businessId} and moved_at is not null
                union all
                select coalesce(expected_currency, paid_currency, currency), 0,
                       coalesce(expected_minor, paid_minor, gross_minor)
                  from reconciliation_entries
                 where business_id = ${businessId} and moved_at is not null and type = 'payment'
                   and transaction_id is not null) line
         group by currency) e on e.currency = d.currency
     where (coalesce(d.fee_minor, 0), coalesce(d.paid_minor, 0)) <> (coalesce(e.fee_minor, 0), coalesce(e.paid_minor, 0))`,
  line_stands_for_one_transaction: (businessId) => sql`
    select transaction_id as object, count(*) || ' lines stand for it: ' || string_agg(id, ', ') as detail
      from reconciliation_entries
     where business_id = ${businessId} and transaction_id is not null and result <> 'missing_there'
     group by transaction_id having count(*) > 1`,
  due_work_has_a_head: (businessId) =>
    dueWithoutNextRun(businessId, [
      {
        name: RECONCILIATIONS,
        clock: 'real',
        rows: sql`select account_id as object, due_at from reconciliation_runs where business_id = ${businessId}`,
      },
    ]),
}

function graceEnd(): string {
  return toRfc3339(realClock.now().subtract({ hours: 24 * GRACE_DAYS }))
}

export function verifyReconciliations(db: Database): Verification {
  return (businessId) => brokenRules(db, businessId, RULES)
}

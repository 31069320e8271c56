import sql from 'sql-template-tag'
import { SIMULATOR_ACCOUNT } from '#modules/acquirers'
import type { Database } from '#platform/postgres/database'
import { isOneOf } from '#platform/postgres/rows'
import { brokenRules, type Rules, type Verification } from '#platform/verify'
import { dueWithoutNextRun } from '#platform/jobs/verify-jobs'
import { HOLDING_STATES } from '../model/dispute.ts'
import { REFRESHES, SCANS, SUBMISSIONS } from '../job-names.ts'

export const RULES: Rules = {
  dispute_has_been_announced: (businessId) => sql`
    select d.id as object, 'no event says that it was opened' as detail
      from disputes d
     where d.business_id = ${businessId}
       and not exists (select from events e
                        where e.business_id = ${businessId} and e.object_id = d.id and e.type = 'dispute.opened')`,
  dispute_is_of_its_payment: (businessId) => sql`
    select d.id as object, 'names the payment ' || d.payment_reference || ' of the account ' || d.account_id
           || ', and the transaction ' || t.id || ' of the account ' || t.acquirer_account_id as detail
      from disputes d
      join transactions t on t.business_id = ${businessId} and t.id = d.transaction_id
      left join acquirer_transactions a on a.business_id = ${businessId} and a.transaction_id = d.transaction_id
     where d.business_id = ${businessId}
       and (t.acquirer_account_id <> d.account_id or t.order_id <> d.order_id
            or (d.payment_reference in (a.gateway_transaction_id, a.rrn)) is not true
               and not (d.account_id = ${SIMULATOR_ACCOUNT} and d.payment_reference = t.id))`,
  // Of payments whose disputes were lost before migration 0102 at least one counts.
  payments_know_what_disputes_lost: (businessId) => sql`
    select coalesce(t.id, d.id) as object, 'lost ' || coalesce(t.lost_minor, 0) || ', disputes ' || coalesce(d.lost, 0) as detail
      from (select id, lost_minor from transactions
             where business_id = ${businessId} and lost_minor is not null) t
      full join (select d.transaction_id as id, min(lost) as least, sum(lost) as lost
                   from disputes d
                   join transactions p on p.business_id = ${businessId} and p.id = d.transaction_id
                  cross join lateral (select case when d.currency = p.currency then d.amount_minor else abs(p.amount_minor) end as lost) l
                  where d.business_id = ${businessId} and d.state = 'lost'
                  group by d.transaction_id) d on d.id = t.id
     where t.lost_minor between d.least and d.lost is not true`,
  // Reads a table of payments. In another currency than the payment's a dispute takes all of it.
  disputed_money_sums_to_its_dispute: (businessId) => sql`
    select coalesce(d.id, m.id) as object, 'holds ' || coalesce(d.held, 0) || ', booked ' || coalesce(m.booked, 0) as detail
      from (select d.id, case when d.currency = p.currency then d.amount_minor else abs(p.amount_minor) end as held
              from disputes d
              join transactions p on p.business_id = ${businessId} and p.id = d.transaction_id
             where d.business_id = ${businessId} and ${isOneOf(sql`d.state`, HOLDING_STATES)}) d
      full join (select dispute_id as id, -sum(amount_minor) as booked
                   from disputed_money where business_id = ${businessId} group by dispute_id) m on m.id = d.id
     where coalesce(d.held, 0) <> coalesce(m.booked, 0)`,
  due_work_has_a_head: (businessId) =>
    dueWithoutNextRun(businessId, [
      {
        name: SUBMISSIONS,
        clock: 'real',
        rows: sql`select dispute_id as object, due_at from dispute_submissions where business_id = ${businessId}`,
      },
      {
        name: REFRESHES,
        clock: 'real',
        rows: sql`select reference as object, due_at from dispute_refreshes where business_id = ${businessId}`,
      },
      {
        name: SCANS,
        clock: 'real',
        rows: sql`select account_id as object, due_at from dispute_scans where business_id = ${businessId}`,
      },
    ]),
}

export function verifyDisputes(db: Database): Verification {
  return (businessId) => brokenRules(db, businessId, RULES)
}

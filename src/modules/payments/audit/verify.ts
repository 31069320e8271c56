import sql, { type Sql } from 'sql-template-tag'
import type { Database } from '#platform/postgres/database'
import { brokenRules, type Rules, type Verification } from '#platform/verify'
import { dueWithoutNextRun } from '#platform/jobs/verify-jobs'
import { FAILED_LATER } from '../model/transaction.ts'
import { AUTHORIZATION_EXPIRY, ORDER_EXPIRY, ORDER_VOIDS, PAYMENT_OPERATIONS } from '../job-names.ts'

export function verifyPayments(db: Database): Verification {
  return (businessId) => brokenRules(db, businessId, RULES)
}

const UNRESOLVED = sql`('initiated', 'pending', 'requires_action', 'unknown')`

function sums(businessId: string): Sql {
  return sql`
    select o.*, o.initial_total_minor + coalesce(o.credit_returned_minor, 0) - o.credited_minor - coalesce(o.written_off_minor, 0) as payable,
           o.paid_total_minor - coalesce(o.moved_to_credit_minor, 0) as kept, coalesce(s.paid, 0) as paid, coalesce(s.refunded, 0) as refunded,
           coalesce(s.under_way, 0) + coalesce(a.held, 0) as reserved, coalesce(s.reversing, false) as reversing, coalesce(s.transferred, 0) as transferred,
           coalesce(s.lost, 0) as lost
      from orders o
      left join (
        select order_id,
               sum(amount_minor) filter (where state = 'succeeded' and type <> 'Authorization') as paid,
               -sum(amount_minor) filter (where state = 'succeeded' and type = 'Refund') as refunded,
               sum(amount_minor) filter (where state = 'succeeded' and acquirer_name in ('bank', 'manual')) as transferred,
               sum(lost_minor) as lost,
               sum(amount_minor) filter (where type in ('Sales', 'Authorization')
                 and state in ${UNRESOLVED}) as under_way,
               bool_or(void_pending or (type = 'Refund'
                 and state in ${UNRESOLVED})) as reversing
          from transactions where business_id = ${businessId} group by order_id) s on s.order_id = o.id
      left join (
        select t.order_id, sum(t.amount_minor - coalesce(c.captured, 0)) as held
          from transactions t
          left join (select original_id, sum(amount_minor) as captured from transactions
                      where business_id = ${businessId} and type = 'Capture' and state = 'succeeded'
                      group by original_id) c on c.original_id = t.id
         where t.business_id = ${businessId} and t.state = 'authorized' group by t.order_id) a on a.order_id = o.id
     where o.business_id = ${businessId}`
}

const usedCredit = sql`
  select coalesce(-sum((line ->> 'price_minor')::numeric * (line ->> 'quantity')::numeric), 0) as used
    from json_array_elements(line_items) as line where line ->> 'kind' = 'credit'`

export const RULES: Rules = {
  order_paid_total_is_the_sum_of_its_transactions: (businessId) => sql`
    select id as object, format('paid_total %s, transactions %s', paid_total_minor, paid) as detail
      from (${sums(businessId)}) o where paid_total_minor <> paid`,
  order_reserved_total_is_what_is_under_way: (businessId) => sql`
    select id as object, format('reserved %s, transactions %s', reserved_minor, reserved) as detail
      from (${sums(businessId)}) o where reserved_minor <> reserved`,
  order_takes_no_more_than_its_total: (businessId) => sql`
    select id as object, format('%s paid and %s reserved of %s', paid - transferred, reserved, payable) as detail
      from (${sums(businessId)}) o
     where state in ('open', 'completed')
       -- A credit note may lower what a paid order is worth.
       and paid - transferred + reserved > case state when 'open' then payable else initial_total_minor end`,
  order_state_agrees_with_its_money: (businessId) => sql`
    select id as object,
           format('%s with %s paid and %s refunded of %s', state, paid, refunded, payable) as detail
      from (${sums(businessId)}) o
     where not exists (
             select 1 from transactions r
               join transactions p on p.business_id = ${businessId} and p.id = r.original_id
                    and p.decline_code = ${FAILED_LATER}
              where r.business_id = ${businessId} and r.order_id = o.id and r.type = 'Refund' and r.state = 'succeeded')
       and (paid < 0
        or void_mode is null and not case state
             when 'open' then kept < payable and noted_refunds_minor is null
             when 'completed' then kept + refunded >= payable
                                   and (paid > 0 or refunded = 0 and payable <= 0)
             when 'refunded' then paid = 0 and refunded > 0
             -- Late money is being reversed.
             else paid - transferred between 0 and lost or reversing end)`,
  // Notes may also credit what credit of the plan had paid of it.
  order_gives_up_no_more_than_its_total: (businessId) => sql`
    select id as object, format('%s credited, %s refunded with notes and %s written off of %s', credited_minor,
                                coalesce(noted_refunds_minor, 0), written_off_minor, initial_total_minor + used) as detail
      from orders
     cross join lateral (${usedCredit}) l
     where business_id = ${businessId} and written_off_minor > 0
       and credited_minor + coalesce(noted_refunds_minor, 0) + written_off_minor > initial_total_minor + used`,
  // A merchant's void and the end of grace give back what the order used of its plan's credit, all of it.
  order_returns_the_credit_that_it_used: (businessId) => sql`
    select id as object, format('is %s and returned %s of %s of credit', state, credit_returned_minor, used) as detail
      from orders
     cross join lateral (${usedCredit}) l
     where business_id = ${businessId} and credit_returned_minor is not null
       and (state <> 'voided' or credit_returned_minor <> used)`,
  order_lines_sum_to_its_total: (businessId) => sql`
    select id as object, format('lines %s, initial_total %s', lines, initial_total_minor) as detail
      from (select o.id, o.initial_total_minor,
                   (select sum((line ->> 'price_minor')::numeric * (line ->> 'quantity')::numeric)
                      from json_array_elements(o.line_items) as line) as lines
              from orders o where o.business_id = ${businessId} and o.line_items is not null) o
     where lines <> initial_total_minor`,
  captures_and_refunds_fit_their_original: (businessId) => sql`
    select t.id as object, format('%s taken of %s', sum(abs(f.amount_minor)), t.amount_minor) as detail
      from transactions t
      join transactions f on f.business_id = ${businessId} and f.original_id = t.id
           and f.state in ('succeeded', 'initiated', 'pending', 'requires_action', 'unknown')
     where t.business_id = ${businessId}
     group by t.id, t.amount_minor having sum(abs(f.amount_minor)) > t.amount_minor`,
  captures_and_refunds_follow_what_they_may: (businessId) => sql`
    select f.id as object,
           format('a %s %s follows %s', f.state, f.type, coalesce(t.state || ' ' || t.type, 'nothing')) as detail
      from transactions f
      left join transactions t on t.business_id = ${businessId} and t.id = f.original_id
           and t.order_id = f.order_id and t.currency = f.currency
     where f.business_id = ${businessId} and f.original_id is not null
       and not coalesce(
             case f.type when 'Capture' then t.type = 'Authorization' else t.type in ('Sales', 'Capture') end
             and (f.state in ('failed', 'voided')
                  or case f.type when 'Capture' then t.state in ('authorized', 'expired')
                                 else t.state = 'succeeded' or t.decline_code = ${FAILED_LATER} end), false)`,
  transaction_state_is_one_of_its_type: (businessId) => sql`
    select t.id as object, format('a %s is %s in %s', t.type, t.state, t.currency) as detail
      from transactions t
      join orders o on o.business_id = ${businessId} and o.id = t.order_id
     where t.business_id = ${businessId}
       and (t.currency <> o.currency
            or (t.type = 'Authorization') <> (t.state in ('authorized', 'expired'))
               and t.state in ('authorized', 'expired', 'succeeded')
            or (t.state in ('authorized', 'succeeded', 'expired', 'voided') or t.decline_code = ${FAILED_LATER} and t.returned_on is not null)
               <> (t.succeeded_at is not null)
            or t.value_date is not null and t.succeeded_at is null
            or (t.type in ('Sales', 'Capture') and t.state in ('succeeded', 'voided')) <> (t.settles_at is not null))`,
  // Without the time, the rest stays held forever. With a time but no rest, the job finds the row again and again.
  rest_of_an_authorization_lapses: (businessId) => sql`
    select t.id as object,
           format('%s with %s of %s captured, lapses %s', t.state, coalesce(c.captured, 0), t.amount_minor,
                  coalesce('at ' || t.expires_at, 'never')) as detail
      from transactions t
      left join (select original_id, sum(amount_minor) as captured from transactions
                  where business_id = ${businessId} and type = 'Capture' and state = 'succeeded'
                  group by original_id) c on c.original_id = t.id
     where t.business_id = ${businessId}
       and (t.state = 'authorized' and coalesce(c.captured, 0) < t.amount_minor) <> (t.expires_at is not null)`,
  open_outcome_has_an_operation: (businessId) => sql`
    select t.id as object, format('%s%s without an operation', t.state,
                                  case when t.void_pending then ', void pending,' else '' end) as detail
      from transactions t
     where t.business_id = ${businessId}
       and (t.state in ${UNRESOLVED}
            and not exists (select 1 from acquirer_operations p
                             where p.business_id = ${businessId} and p.key = t.id)
            or t.void_pending
            and not exists (select 1 from acquirer_operations p
                             where p.business_id = ${businessId} and p.key = t.void_key))`,
  operation_has_an_open_outcome: (businessId) => sql`
    select p.key as object, format('a %s of %s', p.kind, p.transaction_id) as detail
      from acquirer_operations p
      left join transactions t on t.business_id = ${businessId} and t.id = p.transaction_id
           and t.order_id = p.order_id
           and case when p.kind = 'void' then t.void_pending and t.void_key = p.key
                    else p.key = t.id and t.state in ${UNRESOLVED} end
     where p.business_id = ${businessId} and t.id is null`,
  acquirers_names_of_transactions_are_found: (businessId) => sql`
    select coalesce(t.id, a.transaction_id) as object,
           format('the acquirer names it %L, %L, moved at %s; it is found by %L, %L, moved at %s', t.gateway, t.rrn,
                  t.moved_at, a.gateway_transaction_id, a.rrn, a.moved_at) as detail
      from (select id, acquirer_account_id as account, nullif(answer ->> 'gatewayTransactionId', '') as gateway,
                   nullif(answer ->> 'rrn', '') as rrn, case when type <> 'Authorization' and state <> 'failed' then succeeded_at end as moved_at
              from transactions
             where business_id = ${businessId} and acquirer_account_id not in ('simulator', '')) t
      full join (select * from acquirer_transactions where business_id = ${businessId}) a on a.transaction_id = t.id
     where a.account_id <> t.account or (t.gateway, t.rrn, t.moved_at)
           is distinct from (a.gateway_transaction_id, a.rrn, a.moved_at)`,
  outcome_needs_no_person: (businessId) => sql`
    select transaction_id as object,
           format('the outcome of a %s sent at %s is still unknown', kind, sent_at) as detail
      from acquirer_operations
     where business_id = ${businessId} and status = 'unknown' and sent_at < now() - interval '1 day'`,
  wallets_are_never_authorized: (businessId) => sql`
    select id as object, format('a %s by %s', type, payment_method) as detail
      from transactions
     where business_id = ${businessId} and payment_method in ('wallet_a_pay', 'wallet_b', 'fps')
       and type in ('Authorization', 'Capture')`,
  receipt_numbers_are_unique: (businessId) => sql`
    select min(id) as object, format('receipt %s stands on %s transactions', receipt_number, count(*)) as detail
      from transactions where business_id = ${businessId}
     group by receipt_number having count(*) > 1`,
  receipt_numbers_were_given_out: (businessId) => sql`
    select t.id as object, format('receipt %s, the next is %s', t.receipt_number, c.next_number) as detail
      from transactions t cross join receipt_numbers c
     where t.business_id = ${businessId} and t.receipt_number >= c.next_number`,
  due_work_has_a_head: (businessId) =>
    dueWithoutNextRun(businessId, [
      {
        name: PAYMENT_OPERATIONS,
        rows: sql`select key as object, due_at from acquirer_operations where business_id = ${businessId}`,
      },
      {
        name: ORDER_VOIDS,
        rows: sql`select id as object, void_due_at as due_at from orders
                     where business_id = ${businessId} and void_due_at is not null`,
      },
      {
        name: ORDER_EXPIRY,
        rows: sql`select id as object, expires_at as due_at from orders
                     where business_id = ${businessId} and expires_at is not null`,
      },
      {
        name: AUTHORIZATION_EXPIRY,
        rows: sql`select id as object, expires_at as due_at from transactions
                     where business_id = ${businessId} and expires_at is not null`,
      },
    ]),
}

import sql from 'sql-template-tag'
import type { Database } from '#platform/postgres/database'
import { brokenRules, type Rules, type Verification } from '#platform/verify'

export const RULES: Rules = {
  matches_sum_to_their_bank_entry: (businessId) => sql`
    select coalesce(e.id, m.entry_id) as object,
           coalesce(e.state, 'missing') || ' with ' || coalesce(m.amount, 0) || ' of ' || coalesce(e.amount_minor, 0) as detail
      from (select * from bank_entries where business_id = ${businessId}) e
      full join (select entry_id, sum(amount_minor) as amount from bank_entry_matches
                  where business_id = ${businessId} and undone_at is null group by entry_id) m on m.entry_id = e.id
     where coalesce(m.amount, 0) <> case when e.state = 'matched' then e.amount_minor else 0 end`,
  // Replaces a foreign key to a table of another module.
  bank_transfer_has_its_match: (businessId) => sql`
    select coalesce(t.id, m.transaction_id) as object,
           'transaction ' || coalesce(t.state, 'missing') || ', match '
             || case when m.transaction_id is null then 'missing' when m.undone_at is null then 'made' else 'undone' end as detail
      from (select * from transactions where business_id = ${businessId} and acquirer_name = 'bank') t
      full join (select * from bank_entry_matches where business_id = ${businessId}) m on m.transaction_id = t.id
     where t.id is null or m.transaction_id is null or t.amount_minor <> m.amount_minor or t.order_id <> m.order_id
        or t.state <> case when m.undone_at is null then 'succeeded' else 'voided' end`,
  // Transfers that were matched before there were value dates have none.
  bank_transfer_counts_on_its_day: (businessId) => sql`
    select t.id as object, format('counts on %s, returned on %s, booked on %s, counted on %s', t.value_date, t.returned_on,
             e.booking_date, coalesce(e.counted_on::text, 'that day')) as detail
      from transactions t
      join bank_entry_matches m on m.business_id = ${businessId} and m.transaction_id = t.id
      join bank_entries e on e.business_id = ${businessId} and e.id = m.entry_id
      left join bank_entries r on r.business_id = ${businessId} and r.id = e.returned_by
     where t.business_id = ${businessId} and t.acquirer_name = 'bank'
       and (m.undone_at is null and t.value_date <> coalesce(e.counted_on, e.booking_date)
            or t.value_date < e.booking_date
            or m.undone_at is null and t.returned_on is not null
            or coalesce(t.returned_on < r.booking_date, t.returned_on is not null and r.id is null))`,
  // This rule reads a table of payments, too.
  write_offs_sum_to_their_order: (businessId) => sql`
    select coalesce(o.id, w.order_id) as object,
           'written off ' || coalesce(o.written_off_minor, 0) || ', rows ' || coalesce(w.amount, 0) as detail
      from (select id, written_off_minor from orders
             where business_id = ${businessId} and written_off_minor is not null) o
      full join (select order_id, sum(amount_minor) as amount from write_offs
                  where business_id = ${businessId} and undone_at is null group by order_id) w on w.order_id = o.id
     where coalesce(o.written_off_minor, 0) <> coalesce(w.amount, 0)`,
  // Covers two statements of which one names no account.
  bank_transfer_counts_once: (businessId) => sql`
    select e.id as object, 'also ' || o.id || ' of account ' || o.account as detail
      from bank_entries e
      join bank_entries o
        on o.business_id = ${businessId} and left(o.bank_reference, 255) collate "C" = left(e.bank_reference, 255) collate "C"
       and o.bank_reference = e.bank_reference and o.booking_date = e.booking_date and o.amount_minor = e.amount_minor
       and o.currency = e.currency and o.state = 'matched' and o.account is not null
     where e.business_id = ${businessId} and e.state = 'matched' and e.account is null and e.bank_reference is not null`,
  bank_return_takes_its_credit: (businessId) => sql`
    select c.id as object, 'returned by ' || c.returned_by as detail
      from bank_entries c
      left join bank_entries r on r.business_id = ${businessId} and r.id = c.returned_by and r.kind = 'return'
     where c.business_id = ${businessId} and c.returned_by is not null
       and (r.id is null or r.currency <> c.currency or r.amount_minor <> c.amount_minor or r.booking_date < c.booking_date
         or exists (select 1 from bank_entries o
                     where o.business_id = ${businessId} and o.end_to_end_id = c.end_to_end_id and o.returned_by = c.returned_by
                       and o.id <> c.id))`,
  bank_entries_count_once: (businessId) => sql`
    select s.id as object, s.new_entries || ' new, entries ' || coalesce(e.count, 0) as detail
      from bank_statements s
      left join (select statement_id, count(*) from bank_entries
                  where business_id = ${businessId} and kind = 'credit' group by statement_id) e on e.statement_id = s.id
     where s.business_id = ${businessId} and s.new_entries <> coalesce(e.count, 0)`,
}

export function verifyBankTransfers(db: Database): Verification {
  return (businessId) => brokenRules(db, businessId, RULES)
}

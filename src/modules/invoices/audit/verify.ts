import sql from 'sql-template-tag'
import { dueWithoutNextRun } from '#platform/jobs/verify-jobs'
import type { Database } from '#platform/postgres/database'
import { brokenRules, type Rules, type Verification } from '#platform/verify'
import { minorPerUnit } from '#platform/filter/minor-units'
import { INVOICE_OVERDUE, INVOICE_RATES } from '../job-names.ts'
import { loweredBy } from '../storage/open-invoice.repository.ts'
import { HAS_RATE } from '../storage/missing-rate.repository.ts'

export const RULES: Rules = {
  document_numbers_have_no_gap: (businessId) => sql`
    select s.legal_entity_id as object,
           s.type || 's of series ' || s.series || ', year ' || s.year || ': ' || i.count || ' of '
           || (s.next_number - s.first_number - g.count) || ', ' || i.misplaced || ' with a number that was not to be given'
             as detail
      from invoice_sequences s
     cross join lateral (
           select coalesce(sum(upper(gap) - lower(gap)), 0) as count from unnest(s.recovered) gap) g
     cross join lateral (
           select count(*),
                  count(*) filter (where i.sequence < s.first_number or i.sequence >= s.next_number
                                         or s.recovered @> i.sequence) as misplaced
             from invoices i
            where i.business_id = ${businessId} and i.type = s.type and i.legal_entity_id = s.legal_entity_id
              and i.series = s.series and i.year = s.year) i
     where s.business_id = ${businessId}
       and (i.count <> s.next_number - s.first_number - g.count or i.misplaced > 0
            or not s.recovered <@ int8multirange(int8range(s.first_number, s.next_number)))`,
  document_numbers_rise_with_time: (businessId) => sql`
    select id as object, number || ' was issued before the number before it' as detail
      from (select id, number, created_at,
                   lag(created_at) over (partition by type, legal_entity_id, series, year order by sequence) as previous
              from invoices where business_id = ${businessId}) i
     where previous > created_at`,
  document_lines_sum_to_totals: (businessId) => sql`
    select i.id as object,
           'net ' || i.net_minor || ' and tax ' || i.tax_minor || ', lines ' || l.net || ' and ' || l.tax as detail
      from invoices i
     cross join lateral (
           select coalesce(sum((line ->> 'net')::numeric), 0) as net, coalesce(sum((line ->> 'tax')::numeric), 0) as tax
             from jsonb_array_elements(i.copy -> 'lines') as line) l
     where i.business_id = ${businessId} and (l.net <> i.net_minor or l.tax <> i.tax_minor)`,
  document_taxes_sum_to_total: (businessId) => sql`
    select i.id as object, 'tax ' || i.tax_minor || ', groups ' || g.amount as detail
      from invoices i
     cross join lateral (
           select sum((tax ->> 'amount')::numeric) as amount
             from jsonb_array_elements(i.copy -> 'taxes') as tax) g
     where i.business_id = ${businessId} and coalesce(g.amount, 0) <> i.tax_minor`,
  // The total is rounded once; of the notes of an invoice it is a running share.
  tax_in_the_sellers_currency_follows_its_rate: (businessId) => sql`
    with converted as (
      select i.id, i.currency, e.rate ->> 'base' as base, (e.rate ->> 'rate')::numeric * 1e12 as rate, i.tax_minor,
             i.copy -> 'exchange' ->> 'currency' as tax_currency,
             (i.copy -> 'exchange' ->> 'date')::date - (e.rate ->> 'date')::date as age,
             case when i.invoice_id is null then i.tax_minor
                  else sum(i.tax_minor) over (partition by i.invoice_id order by i.created_at, i.sequence) end as until,
             (select sum((tax ->> 'converted')::numeric) from jsonb_array_elements(i.copy -> 'taxes') tax) as shown
        from invoices i
       cross join lateral (select i.copy -> 'exchange' -> 'rate' as rate) e
       where i.business_id = ${businessId} and e.rate is not null)
    select c.id as object,
           'tax ' || coalesce(c.shown::text, 'none') || ' in ' || c.tax_currency || ', by its rate ' || r.tax
           || ', which is ' || c.age || ' days old' as detail
      from converted c
     cross join lateral (
           select case when c.base = c.currency then c.rate else 1e12 end * ${minorPerUnit(sql`c.tax_currency`)} as numerator,
                  case when c.base = c.currency then 1e12 else c.rate end * ${minorPerUnit(sql`c.currency`)} as denominator) f
     cross join lateral (
           select sign(c.until) * div(2 * abs(c.until) * f.numerator + f.denominator, 2 * f.denominator)
                  - sign(c.until - c.tax_minor)
                    * div(2 * abs(c.until - c.tax_minor) * f.numerator + f.denominator, 2 * f.denominator) as tax) r
     where c.shown is distinct from r.tax or c.age not between 0 and 7
     union all
    select i.id, 'lacks a rate of ' || coalesce(i.copy -> 'exchange' ->> 'date', 'no day') || ', and waits for one of '
                 || coalesce(i.rate_missing_on::text, 'no day')
      from invoices i
     where i.business_id = ${businessId} and (i.rate_missing_on is not null or i.copy ? 'exchange')
       and i.rate_missing_on is distinct from
           case when i.copy -> 'exchange' -> 'rate' is null then (i.copy -> 'exchange' ->> 'date')::date end`,
  credit_notes_sum_to_credited_total: (businessId) => sql`
    select i.id as object, 'credited ' || i.credited_minor || ', notes ' || coalesce(n.total, 0) as detail
      from invoices i
      left join (select invoice_id, sum(total_minor) as total from invoices
                  where business_id = ${businessId} and invoice_id is not null group by invoice_id) n
        on n.invoice_id = i.id
     where i.business_id = ${businessId} and i.type = 'invoice' and i.credited_minor <> coalesce(n.total, 0)`,
  tax_days_sum_their_documents: (businessId) => sql`
    select d.day::text as object, 'tax ' || s.tax || ' in ' || s.rows || ' rows, documents ' || coalesce(i.tax, 0) as detail
      from invoice_tax_days d
     cross join lateral (
           select coalesce(sum((one ->> 'tax')::numeric), 0) as tax,
                  coalesce(sum((one ->> 'converted_tax')::numeric), 0) as converted, count(*) as rows
             from jsonb_array_elements(d.sums) as one) s
      left join (
           select issue_date, sum(case type when 'invoice' then tax_minor else -tax_minor end) as tax,
                  sum(case type when 'invoice' then 1 else -1 end
                      * (select coalesce(sum((tax ->> 'converted')::numeric), 0) from jsonb_array_elements(copy -> 'taxes') tax)) as converted
             from invoices where business_id = ${businessId} group by issue_date) i on i.issue_date = d.day
     where d.business_id = ${businessId}
       and (s.tax <> coalesce(i.tax, 0) or s.converted <> coalesce(i.converted, 0))`,
  // Replaces a foreign key to a table of another module. This rule and the next read tables of payments.
  order_names_its_document: (businessId) => sql`
    select o.id as object, 'names ' || o.invoice_id || ' ' || coalesce(o.invoice_number, '') as detail
      from orders o
      left join invoices i on i.business_id = ${businessId} and i.id = o.invoice_id and i.order_id = o.id
     where o.business_id = ${businessId} and o.invoice_id is not null and i.number is distinct from o.invoice_number`,
  invoice_agrees_with_its_order: (businessId) => sql`
    select i.id as object, i.state || ', order ' || o.state as detail
      from invoices i
      join orders o on o.business_id = ${businessId} and o.id = i.order_id
     where i.business_id = ${businessId} and i.type = 'invoice'
       and (i.state = 'open' and o.state <> 'open' or i.state = 'uncollectible' and o.state <> 'voided'
            or i.state = 'open'
               and i.due_minor <> o.initial_total_minor - o.credited_minor - coalesce(o.written_off_minor, 0)
                              - o.paid_total_minor + coalesce(o.moved_to_credit_minor, 0)
            or i.state = 'paid' and o.state = 'voided' and o.written_off_minor > 0
            or i.state <> 'open' and i.due_minor > 0)`,
  // What the report of open items shows of an open invoice.
  open_invoice_is_due_less_payments_and_notes: (businessId) => sql`
    select i.id as object,
           'due ' || i.due_minor || ', total ' || i.total_minor || ' less prepaid ' || i.prepaid_minor || ', credited '
           || c.lowered || ' and paid ' || o.paid_total_minor as detail
      from invoices i
      join orders o on o.business_id = ${businessId} and o.id = i.order_id
     cross join lateral (
           select coalesce(sum(${loweredBy('n')}), 0) as lowered
             from invoices n where n.business_id = ${businessId} and n.invoice_id = i.id) c
     where i.business_id = ${businessId} and i.type = 'invoice' and i.state = 'open'
       and i.due_minor <> i.total_minor - i.prepaid_minor - c.lowered - coalesce(o.written_off_minor, 0)
                         - o.paid_total_minor + coalesce(o.moved_to_credit_minor, 0)`,
  // What an invoice asked for is given up once: by notes or by write-offs. One that was replaced has a note of the whole.
  notes_and_write_offs_fit_the_invoice: (businessId) => sql`
    select i.id as object,
           'credited ' || i.credited_minor || ' and written off ' || o.written_off_minor || ' of ' || i.total_minor as detail
      from invoices i
      join orders o on o.business_id = ${businessId} and o.id = i.order_id and o.written_off_minor > 0
     where i.business_id = ${businessId} and i.type = 'invoice' and i.replaced_by is null
       and i.credited_minor + o.written_off_minor > i.total_minor`,
  // An edit waits for requests that read the settings before, which may begin just after it. Where today is closed, too, billing runs go on.
  closed_days_take_nothing_later: (businessId) => sql`
    with closed as (
      select s.locked_until, s.locked_at + interval '1 minute' as since, b.time_zone
        from billing_settings s
        join businesses b on b.business_id = s.business_id
       where s.business_id = ${businessId} and s.locked_until < (s.locked_at at time zone b.time_zone)::date)
    select i.id as object, 'issued on ' || i.issue_date || ', recorded at ' || i.created_at || ', when days were closed until '
                           || c.locked_until as detail
      from closed c
      join invoices i on i.issue_date <= c.locked_until and i.created_at > c.since
     where i.business_id = ${businessId}
     union all
    select t.id, 'counts on ' || t.value_date || ', recorded at ' || t.created_at || ', when days were closed until ' || c.locked_until
      from closed c
      join transactions t on t.value_date <= c.locked_until and t.created_at > c.since
     where t.business_id = ${businessId}
     union all
    select m.id, 'counts on ' || m.date || ', recorded at ' || m.created_at || ', when days were closed until ' || c.locked_until
      from closed c
      join disputed_money m on m.date <= c.locked_until and m.created_at > c.since
     where m.business_id = ${businessId}
     union all
    select t.id, 'counted until ' || t.updated_at || ', when days were closed until ' || c.locked_until
      from closed c
      join transactions t on t.decline_code = 'failed_later' and t.returned_on is null and t.updated_at > c.since
     where t.business_id = ${businessId}
       and exists (select from events e
                    where e.business_id = ${businessId} and e.object_id = t.order_id and e.type = 'transaction.succeeded'
                      and e.timestamp >= t.created_at
                      and e.timestamp < (c.locked_until + 1)::timestamp at time zone c.time_zone)`,
  uncollectible_invoice_says_since_when: (businessId) => sql`
    select id as object, state || ', uncollectible since ' || coalesce(uncollectible_at::text, 'never') as detail
      from invoices
     where business_id = ${businessId} and (state = 'uncollectible') <> (uncollectible_at is not null)`,
  reissued_documents_name_each_other: (businessId) => sql`
    select i.id as object, 'is ' || i.state || ', replaced by ' || coalesce(i.replaced_by, 'none') || ', replaces '
                           || coalesce(i.replaces, 'none') as detail
      from invoices i
      left join invoices n on n.business_id = ${businessId} and n.id = i.replaced_by
      left join invoices p on p.business_id = ${businessId} and p.id = i.replaces
      left join orders o on o.business_id = ${businessId} and o.id = i.order_id
     where i.business_id = ${businessId} and (i.replaced_by is not null or i.replaces is not null)
       and (i.type <> 'invoice'
            or i.replaced_by is not null
               and (n.replaces is distinct from i.id or n.order_id <> i.order_id or i.state <> 'credited')
            or i.replaces is not null
               and (p.replaced_by is distinct from i.id or p.total_minor < i.total_minor)
            or (i.replaced_by is null) <> (o.invoice_id is not distinct from i.id))`,
  // What the first invoice asked for, less what the last one asks for and less what its notes took off, is what the order credits. A
  // note that gives nothing back takes off what it does not leave unsettled; one of a refund, what the order does not keep as noted.
  // Notes that were issued before they kept their settlement say nothing about it.
  notes_lower_their_order: (businessId) => sql`
    select o.id as object, 'credited ' || o.credited_minor || ', invoices and notes ' || d.lowered as detail
      from invoices l
      join orders o on o.business_id = ${businessId} and o.id = l.order_id
      join invoices f
        on f.business_id = ${businessId} and f.order_id = l.order_id and f.type = 'invoice' and f.replaces is null
     cross join lateral (
           select f.total_minor - l.total_minor - case when o.credit_returned_minor is null then f.prepaid_minor - l.prepaid_minor else 0 end
                  + coalesce(sum(case when n.cause -> 'settlement' -> 'refunds' is null and n.cause -> 'settlement' -> 'credit' is null
                                      then n.total_minor - (n.cause ->> 'unsettled_minor')::numeric
                                      else coalesce((n.cause -> 'settlement' ->> 'due')::numeric, 0) end), 0)
                  + coalesce(sum((select sum((refund ->> 0)::numeric)
                                    from jsonb_array_elements(n.cause -> 'settlement' -> 'refunds') as refund)), 0)
                  - coalesce(o.noted_refunds_minor, 0) as lowered,
                  coalesce(bool_and(n.cause ? 'settlement'), true) as is_kept
             from invoices n
            where n.business_id = ${businessId} and n.invoice_id = l.id and n.cause ->> 'cause' in ('change', 'request', 'refund')) d
     where l.business_id = ${businessId} and l.type = 'invoice' and l.replaced_by is null
       and (l.replaces is not null or l.credited_minor > 0 or o.credited_minor > 0) and d.is_kept and o.credited_minor <> d.lowered`,
  // Reads orders. What credit of the plan had paid, and a note no longer asks for, is over-paid.
  notes_lose_nothing_of_what_credit_paid: (businessId) => sql`
    select o.id as object, 'is voided and keeps the credit that it used, and notes leave ' || n.unsettled || ' unsettled' as detail
      from invoices i
      join orders o on o.business_id = ${businessId} and o.id = i.order_id and o.state = 'voided' and o.credit_returned_minor is null
     cross join lateral (
           select sum((cause ->> 'unsettled_minor')::numeric) as unsettled
             from invoices where business_id = ${businessId} and invoice_id = i.id) n
     where i.business_id = ${businessId} and i.type = 'invoice' and n.unsettled > 0
       and exists (select from json_array_elements(o.line_items) as line where line ->> 'kind' = 'credit')`,
  due_work_has_a_head: (businessId) =>
    dueWithoutNextRun(businessId, [
      {
        name: INVOICE_OVERDUE,
        rows: sql`
          select id as object, overdue_at as due_at from invoices
           where business_id = ${businessId} and overdue_at is not null`,
      },
      {
        name: INVOICE_RATES,
        rows: sql`
          select i.id as object, i.created_at as due_at from invoices i
           where i.business_id = ${businessId} and ${HAS_RATE}`,
      },
    ]),
}

export function verifyInvoices(db: Database): Verification {
  return (businessId) => brokenRules(db, businessId, RULES)
}

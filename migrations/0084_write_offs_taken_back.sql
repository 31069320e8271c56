-- Up Migration
-- A credit note takes back what was written off of what it credits: as a row of its own, so that a past day keeps what it showed.

alter table write_offs drop constraint write_offs_amount_minor_check;
comment on column write_offs.amount_minor is 'In minor units of `currency`; negative for what was taken back, because it was credited.';

-- Exports read those of a day.
create index write_offs_created on write_offs (business_id, created_at);

-- What was taken back before has no row.
insert into write_offs (business_id, id, order_id, invoice_id, customer_uuid, currency, amount_minor, reason, transaction_id, created_at)
select w.business_id, 'wof_' || md5(w.order_id), w.order_id, w.invoice_id, w.customer_uuid, w.currency,
       coalesce(o.written_off_minor, 0) - w.amount, '', w.transaction_id, o.updated_at
  from (select business_id, order_id, max(invoice_id) as invoice_id, max(customer_uuid) as customer_uuid, max(currency) as currency,
               case when count(*) = 1 then max(transaction_id) end as transaction_id, sum(amount_minor) as amount
          from write_offs where undone_at is null group by business_id, order_id) w
  join orders o on o.business_id = w.business_id and o.id = w.order_id
 where w.amount > coalesce(o.written_off_minor, 0);

-- Up Migration

-- Credit notes and payments after an erasure wrote events with the buyer, who stays on the document itself.
alter table invoices add column is_erased boolean;
comment on column invoices.is_erased is 'True once the customer was erased, so that later events leave out the person; else null.';
update invoices i
   set is_erased = true
  from customers c
 where c.business_id = i.business_id and c.uuid = i.customer_uuid and c.erased_at is not null;

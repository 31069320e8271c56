-- Up Migration

-- A void gives back what the order used of its plan's credit. Orders that a note or a write-off lowered to nothing were voided, too,
-- by versions before decision 0121, and kept it. Notes of a voided order lower it now, so its amounts no longer tell the two apart.
alter table orders add column credit_returned_minor numeric(30,0);
alter table orders add constraint orders_credit_returned_minor_check check (credit_returned_minor > 0) not valid;
comment on column orders.credit_returned_minor is 'What a void gave back of the plan''s credit that the order had used; null: nothing.';

update orders o set credit_returned_minor = r.credit_minor
  from recurring_orders r
 where r.business_id = o.business_id and r.order_id = o.id and o.state = 'voided' and r.state = 'voided' and r.credit_minor > 0
   and not (o.initial_total_minor > 0 and o.credited_minor + coalesce(o.written_off_minor, 0) = o.initial_total_minor);

-- Up Migration

-- Credit was given for a payment that a dispute had lost before.
alter table recurring_orders add column lost_minor numeric(30, 0);
comment on column recurring_orders.lost_minor is 'What disputes of its payments lost, so that it is not given back; null for none.';
-- Of several lost disputes of an order one counts, because Citus refuses a sum here.
update recurring_orders r
   set lost_minor = d.amount_minor
  from disputes d, recurring_plans p
 where d.business_id = r.business_id and d.order_id = r.order_id and d.state = 'lost'
   and p.business_id = r.business_id and p.id = r.plan_id and p.currency = d.currency;

-- Up Migration

-- An order that a plan makes shows its plan. Payments cannot read the tables of recurring, which is built on top of it.
alter table orders add column plan_id text collate "C";
update orders o
   set plan_id = r.plan_id
  from recurring_orders r
 where r.business_id = o.business_id and r.order_id = o.id;

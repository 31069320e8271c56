-- Up Migration

-- Keys and values of the caller's own on orders, customers, plans and cards. Null instead of an empty object, so that rows
-- without metadata do not grow. `plan_metadata` is what the plan carried when it made the order.
alter table orders
  add column metadata jsonb,
  add column plan_metadata jsonb;
alter table customers add column metadata jsonb;
alter table recurring_plans add column metadata jsonb;
alter table cards add column metadata jsonb;

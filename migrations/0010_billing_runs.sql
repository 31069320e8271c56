-- Up Migration

-- A billing run writes thousands of neighbouring rows and updates each of them once, a moment later. With room for that
-- on their own page no index is touched; with less, the later half of a page's rows had to move.
alter table orders set (fillfactor = 45);
alter table transactions set (fillfactor = 45);
alter table recurring_cycles set (fillfactor = 50);

-- Most tenants have no plan with a callback_url, and need not look for one of each event's plan.
create index recurring_plans_callback on recurring_plans (business_id) where callback_url is not null;

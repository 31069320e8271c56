-- Up Migration

-- A change that waits for the end of the period: {at, items, config_id, billing_count}. Null on nearly all plans, as those below.
alter table recurring_plans add column pending_change json;
-- Lines of changes that wait for the plan's next order.
alter table recurring_plans add column pending_lines json;
-- What was billed for each item of the current period, once a change made that differ from the period's order.
alter table recurring_plans add column changed_period json;

-- Whether the order bills a period, and so counts in billing_count. That of a change bills only a difference.
alter table recurring_orders add column counted boolean not null default true;

-- Up Migration

-- The columns take the names of what they say: no retry is left, another operation blocks the order, and the plan stays
-- uncollectible because an order was voided after its last attempt.
alter table recurring_orders rename column used_up to retries_exhausted;
alter table recurring_orders rename column waiting to blocked;
alter table recurring_plans rename column written_off to permanently_uncollectible;

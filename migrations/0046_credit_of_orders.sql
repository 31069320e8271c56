-- Up Migration

-- What is taken back is a row below zero.
alter table recurring_credits drop constraint recurring_credits_amount_minor_check;
-- The order of which the credit gives back what was paid; null for a grant by hand and for what was given before this column.
alter table recurring_credits add column order_id text collate "C";
-- The order whose lines gave it; null where a credit note did.
alter table recurring_credits add column given_by text collate "C";
create index recurring_credits_given_by on recurring_credits (business_id, given_by) where given_by is not null;

-- What stands of the credit that gives back what was paid of the order; null for none.
alter table recurring_orders add column credit_given_minor numeric(30,0);
-- What was taken back when its payment was undone. It comes again with the payment.
alter table recurring_orders add column credit_taken_minor numeric(30,0);
-- What could not be taken back, because the plan has spent it.
alter table recurring_orders add column credit_missing_minor numeric(30,0);
create index recurring_orders_missing_credit on recurring_orders (business_id, order_id) where credit_missing_minor > 0;

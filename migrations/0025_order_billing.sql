-- Up Migration
-- Stands for 347de1b7466b70e28b21731a2ff93ed5df1b1c4f93a40c4b47c943ea5e5cb03b: the same schema and rows, in statements that Citus takes.

-- Why a plan made the order; null for the order of a period.
alter table orders add column billing_kind text collate "C";
alter table orders add constraint orders_billing_kind_check check (billing_kind in ('change', 'usage', 'closing', 'top_up'));
-- By how much a change of its plan lowered what is to be paid.
alter table orders add column credited_minor numeric(30,0) not null default 0;
alter table orders add constraint orders_credited_minor_check check (credited_minor >= 0);

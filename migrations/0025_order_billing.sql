-- Up Migration

-- Why a plan made the order; null for the order of a period.
alter table orders add column billing_kind text collate "C" check (billing_kind in ('change', 'usage', 'closing', 'top_up'));
-- By how much a change of its plan lowered what is to be paid.
alter table orders add column credited_minor numeric(30,0) not null default 0 check (credited_minor >= 0);

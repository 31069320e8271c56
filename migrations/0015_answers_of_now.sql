-- Up Migration

-- Whether an outcome was not known when the request was first answered (504): its replay shows order and transaction as
-- they are now, not as they were when the outcome was found.
alter table idempotency_keys add column was_unknown boolean not null default false;

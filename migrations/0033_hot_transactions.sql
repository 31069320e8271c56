-- Up Migration
-- Needs programs from 0032
-- An older program would erase a customer without opening the bundles of the request log.

-- When a payment of a real acquirer succeeded. An index on succeeded_at would be written anew, with all the others, when any payment
-- succeeds.
alter table transactions add column moved_at timestamptz
  generated always as (case when acquirer_account_id <> 'simulator' then succeeded_at end) stored;
drop index transactions_movements;
create index transactions_movements on transactions (business_id, acquirer_account_id, moved_at, id) where moved_at is not null;

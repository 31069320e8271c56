-- Up Migration

-- No default and no backfill, so that a large table is not written anew.
alter table transactions add column value_date date;
comment on column transactions.value_date is
  'The local date on which money moved, as the bank or the caller said, or as it succeeded on a later local day than the one on which it was made. Null: the local date of succeeded_at. An index on the date of every payment would be written with each outcome.';
create index transactions_value_date on transactions (business_id, value_date, created_at, id) where value_date is not null;

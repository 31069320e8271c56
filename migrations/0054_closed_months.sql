-- Up Migration

alter table billing_settings add column locked_until date;
comment on column billing_settings.locked_until is
  'The last local day of the closed months: nothing new counts on it or before it. Null: none is closed.';

alter table transactions add column returned_on date;
comment on column transactions.returned_on is
  'The day on which the bank took the transfer back: a voided transfer with it stays paid on its value date, and is refunded on this day.';
create index transactions_returned_on on transactions (business_id, returned_on, created_at, id) where returned_on is not null;

alter table bank_entries add column counted_on date;
comment on column bank_entries.counted_on is
  'The first open day, on which a match counts because its booking date is in a closed month; null where it counts on that.';
create index bank_entries_counted_on on bank_entries (business_id, created_at, id) where counted_on is not null;

alter table bank_statements add column counted_later integer not null default 0;
comment on column bank_statements.counted_later is 'Of matched, those that count on a later day than the one on which the bank booked them.';

alter table report_days add column counted_at timestamptz;
comment on column report_days.counted_at is 'When the day last changed, on the real clock; null for one that has not changed since before 0054.';

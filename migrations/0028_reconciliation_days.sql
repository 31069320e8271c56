-- Up Migration

-- When the money of the line moved: its transaction's time, else its own. Null where nothing was booked, and for lines from
-- before reconciliation_days.
alter table reconciliation_entries add column moved_at timestamptz;

-- What the lines of each local day of the business say, so that a report of a range never reads lines.
create table reconciliation_days (
  business_id    text collate "C" not null,
  currency       text collate "C" not null,
  day            date not null,
  fee_minor      numeric(30,0) not null,
  -- Of our sales and captures of the day, those that have a line.
  paid_minor     numeric(30,0) not null,
  primary key (business_id, currency, day)
);
select quittance_tenant_table('reconciliation_days');

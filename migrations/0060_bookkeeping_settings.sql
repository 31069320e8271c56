-- Up Migration

-- How invoices, credit notes and payments are booked in other programs. A table of its own, because billing runs read the billing
-- settings.
create table bookkeeping_settings (
  business_id text collate "C" not null primary key,
  -- The accounts: {receivables, bank, cash, fees, revenue and tax [{percentage, treatment, account, taxKey}]}.
  accounts    jsonb,
  -- What DATEV asks for: {consultant, client, fiscalYearStart, accountLength}.
  datev       jsonb,
  updated_at  timestamptz not null
);
select quittance_tenant_table('bookkeeping_settings');
comment on column bookkeeping_settings.updated_at is 'On the business''s clock.';

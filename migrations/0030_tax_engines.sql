-- Up Migration

-- Whom a business asks for taxes and about VAT ids: at most one.
create table tax_engines (
  business_id   text collate "C" primary key,
  url           text not null,
  timeout_ms    integer not null check (timeout_ms between 1 and 5000),
  -- What applies to lines when the engine does not answer in time.
  on_silence    text collate "C" not null check (on_silence in ('rates', 'none')),
  sealed_secret text collate "C" not null,
  created_at    timestamptz not null
);
select quittance_tenant_table('tax_engines');

-- Up Migration

-- Who sells: the seller of invoices, and where it is registered for tax.
create table legal_entities (
  business_id   text collate "C" not null,
  id            text collate "C" not null,
  name          text not null,
  address       jsonb not null,
  tax_ids       jsonb not null,
  -- A list of {country, region, number, from, until}.
  registrations jsonb not null,
  -- Whether it is in the EU's one-stop shop.
  oss           boolean not null,
  bank          jsonb,
  tax_rounding  text not null check (tax_rounding in ('document', 'line')),
  -- A list of {key, invoice_format, credit_note_format, first_number}.
  series        jsonb not null,
  footer        text,
  reference_id  text collate "C",
  metadata      jsonb,
  created_at    timestamptz not null,
  updated_at    timestamptz not null,
  primary key (business_id, id)
);
create unique index legal_entities_reference on legal_entities (business_id, reference_id);
create index legal_entities_newest on legal_entities (business_id, created_at, id);
select quittance_tenant_table('legal_entities');

-- How new plans are invoiced. A business without a row has the defaults.
create table billing_settings (
  business_id     text collate "C" not null,
  legal_entity_id text collate "C",
  tax             text not null check (tax in ('none', 'automatic')),
  collection      text not null check (collection in ('automatic', 'send_invoice')),
  days_until_due  integer not null check (days_until_due >= 0),
  late_days       integer not null check (late_days >= 0),
  updated_at      timestamptz not null,
  primary key (business_id),
  constraint billing_settings_complete
    check (legal_entity_id is not null or (tax = 'none' and collection = 'automatic'))
);
select quittance_tenant_table('billing_settings');
alter table billing_settings
  add foreign key (business_id, legal_entity_id) references legal_entities (business_id, id);

-- What invoices say of a customer beside its profile.
create table billing_details (
  business_id   text collate "C" not null,
  customer_uuid text collate "C" not null,
  address       jsonb,
  -- A list of {type, value, state}.
  tax_ids       jsonb not null,
  tax_exempt    text not null check (tax_exempt in ('none', 'exempt', 'reverse')),
  exempt_reason text,
  language      text,
  invoice_email text,
  created_at    timestamptz not null,
  updated_at    timestamptz not null,
  primary key (business_id, customer_uuid)
);
select quittance_tenant_table('billing_details');
alter table billing_details add foreign key (business_id, customer_uuid) references customers (business_id, uuid);

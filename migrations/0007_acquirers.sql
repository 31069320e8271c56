-- Up Migration

-- A tenant's accounts at real acquirers.
create table acquirer_accounts (
  business_id          text collate "C" not null,
  id                   text collate "C" not null,
  acquirer             text collate "C" not null check (acquirer in ('stripe', 'adyen')),
  name                 text not null,
  state                text collate "C" not null check (state in ('active', 'disabled')),
  merchant_id          text collate "C" not null,
  api_base             text collate "C" not null,
  statement_descriptor text,
  methods              text[] not null,
  -- Empty means all.
  currencies           text[] not null,
  raw_card_numbers     boolean not null,
  -- One encrypted JSON object, bound to this row.
  sealed_credentials   text collate "C" not null,
  -- Counts the edits: processes connect anew when it changes.
  version              integer not null default 1,
  created_at           timestamptz not null,
  updated_at           timestamptz not null,
  primary key (business_id, id)
);
create index acquirer_accounts_newest on acquirer_accounts (business_id, created_at, id);
select quittance_tenant_table('acquirer_accounts');

-- The rules by which payments go to accounts, in their order. They are read and replaced as a whole.
create table routing_rules (
  business_id text collate "C" primary key,
  rules       json not null,
  version     integer not null default 1,
  updated_at  timestamptz not null
);
select quittance_tenant_table('routing_rules');

-- Signed messages of acquirers, without their payload: which object each one names, until we have asked the acquirer about it.
create table acquirer_notices (
  business_id       text collate "C" not null,
  account_id        text collate "C" not null,
  id                text collate "C" not null,
  type              text collate "C" not null,
  -- What it is about: a kind of object, the acquirer's id of it, and our key if the acquirer repeats it.
  subject_kind      text collate "C" not null,
  subject_reference text collate "C" not null,
  subject_key       text collate "C",
  facts             json not null,
  received_at       timestamptz not null,
  attempts          integer not null default 0,
  -- On the real clock; null once it has been handled.
  due_at            timestamptz,
  primary key (business_id, account_id, id),
  foreign key (business_id, account_id) references acquirer_accounts (business_id, id)
);
create index acquirer_notices_due on acquirer_notices (business_id, due_at) where due_at is not null;
create index acquirer_notices_key on acquirer_notices (business_id, account_id, subject_key) where subject_key is not null;
create index acquirer_notices_reference on acquirer_notices (business_id, account_id, subject_reference);
create index acquirer_notices_received on acquirer_notices (business_id, received_at);
select quittance_tenant_table('acquirer_notices');

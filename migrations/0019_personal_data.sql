-- Up Migration

-- The erasure of a customer's personal data, in steps through the modules.
create table erasures (
  business_id      text collate "C" not null,
  id               text collate "C" not null,
  customer_uuid    text collate "C" not null,
  cause            text collate "C" not null constraint erasures_cause check (cause in ('request', 'retention', 'recovery')),
  state            text collate "C" not null constraint erasures_state check (state in ('running', 'completed')),
  reference_number text collate "C",
  -- What free texts are searched for. Erased with the last step.
  texts            json,
  -- How far it is.
  pass             smallint not null default 1,
  step             integer not null default 0,
  cursor           text not null default '',
  counts           json not null default '{}',
  -- On the real clock.
  due_at           timestamptz,
  created_at       timestamptz not null,
  completed_at     timestamptz,
  constraint erasures_pkey primary key (business_id, id),
  constraint erasures_end check ((state = 'completed') = (completed_at is not null) and (due_at is null) = (state = 'completed'))
);
create unique index erasures_customer on erasures (business_id, customer_uuid);
create index erasures_newest on erasures (business_id, created_at, id);
create index erasures_due on erasures (business_id, due_at) where due_at is not null;
select quittance_tenant_table('erasures');

-- Customers whose data must not be erased.
create table legal_holds (
  business_id   text collate "C" not null,
  customer_uuid text collate "C" not null,
  reason        text not null,
  placed_by     text collate "C" not null,
  created_at    timestamptz not null,
  constraint legal_holds_pkey primary key (business_id, customer_uuid)
);
select quittance_tenant_table('legal_holds');

-- When a tenant's customers are erased without a request.
create table retention_settings (
  business_id   text collate "C" not null,
  -- Days without activity; null for never.
  customer_days integer constraint retention_settings_days check (customer_days between 30 and 36500),
  -- Where the daily run goes on.
  cursor_at     timestamptz,
  cursor_uuid   text collate "C",
  -- On the real clock.
  due_at        timestamptz,
  updated_at    timestamptz not null,
  constraint retention_settings_pkey primary key (business_id)
);
create index retention_settings_due on retention_settings (business_id, due_at) where due_at is not null;
select quittance_tenant_table('retention_settings');

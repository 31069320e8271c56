-- Up Migration

-- Personal data of customers can be erased while books and logs stay.
alter table customers add column erased_at timestamptz;

-- `texts` is what free texts are searched for; it is erased with the last step. `due_at` is on the real clock.
create table erasures (
  business_id    text collate "C" not null,
  id             text collate "C" not null,
  customer_uuid  text collate "C" not null,
  cause          text collate "C" not null constraint erasures_cause check (cause in ('request', 'retention', 'recovery')),
  state          text collate "C" not null constraint erasures_state check (state in ('running', 'completed')),
  reference_number text collate "C",
  texts          json,
  pass           smallint not null default 1,
  step           integer not null default 0,
  cursor         text not null default '',
  counts         json not null default '{}',
  due_at         timestamptz,
  created_at     timestamptz not null,
  completed_at   timestamptz,
  constraint erasures_pkey primary key (business_id, id),
  constraint erasures_end check ((state = 'completed') = (completed_at is not null) and (due_at is null) = (state = 'completed'))
);
create unique index erasures_customer on erasures (business_id, customer_uuid);
create index erasures_newest on erasures (business_id, created_at, id);
create index erasures_due on erasures (business_id, due_at) where due_at is not null;
select quittance_tenant_table('erasures');

create table legal_holds (
  business_id   text collate "C" not null,
  customer_uuid text collate "C" not null,
  reason        text not null,
  placed_by     text collate "C" not null,
  created_at    timestamptz not null,
  constraint legal_holds_pkey primary key (business_id, customer_uuid)
);
select quittance_tenant_table('legal_holds');

-- Days without activity after which customers are erased; null: never. `cursor_at` and `cursor_uuid` are where a daily
-- run goes on, `due_at` is on the real clock.
create table retention_settings (
  business_id   text collate "C" not null,
  customer_days integer constraint retention_settings_days check (customer_days between 30 and 36500),
  cursor_at     timestamptz,
  cursor_uuid   text collate "C",
  due_at        timestamptz,
  updated_at    timestamptz not null,
  constraint retention_settings_pkey primary key (business_id)
);
create index retention_settings_due on retention_settings (business_id, due_at) where due_at is not null;
select quittance_tenant_table('retention_settings');

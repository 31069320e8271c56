-- Up Migration

-- The service works as a role that owns nothing, so that row-level security binds it. Roles belong
-- to the whole cluster: another database of it, or another process starting now, may have made it.
do $$
begin
  create role quittance_service nologin;
exception when duplicate_object or unique_violation then null;
end $$;
do $$
begin
  execute format('grant quittance_service to %I', current_user);
end $$;
grant usage on schema public to quittance_service;

-- Makes a table a tenant's: only rows of the tenant set in the session are seen or written, and on
-- Citus the table is sharded by business.
create function quittance_tenant_table(name text) returns void language plpgsql as $$
begin
  execute format('alter table %I enable row level security', name);
  execute format(
    'create policy tenant on %I to quittance_service using (business_id = current_setting(''quittance.business_id'', true))',
    name);
  execute format('grant select, insert, update, delete on %I to quittance_service', name);
  -- Statistics would say that a tenant who came after them has no rows, and the planner would read all of what it has by
  -- now where it is to look up a few (2.6 ms instead of 0.02 for the transactions of an order). Without them it takes a
  -- tenant for the two-hundredth part of the table, and looks up.
  execute format('alter table %I alter column business_id set statistics 0', name);
  if exists (select 1 from pg_extension where extname = 'citus') then
    execute format('select create_distributed_table(%L, ''business_id'')', name);
  end if;
end $$;

-- Makes a table shared by all tenants: it is needed before the tenant is known. On Citus every node has it.
create function quittance_shared_table(name text) returns void language plpgsql as $$
begin
  execute format('grant select, insert, update, delete on %I to quittance_service', name);
  if exists (select 1 from pg_extension where extname = 'citus') then
    execute format('select create_reference_table(%L)', name);
  end if;
end $$;

-- The clock of each tenant: real time plus an offset. It opens every transaction, so it stands
-- outside row-level security. `frozen_at` is where the clock stands while it is being advanced.
create table business_clocks (
  business_id text collate "C" primary key,
  offset_ms   bigint not null default 0,
  frozen_at   timestamptz,
  advance_to  timestamptz,
  check ((frozen_at is null) = (advance_to is null))
);
select quittance_shared_table('business_clocks');

-- What is due next, by tenant and kind of work, in real time: the one read across tenants.
create table due_heads (
  business_id text collate "C" not null,
  kind        text collate "C" not null,
  due_at      timestamptz not null,
  -- Above 0 when nothing is known to be due and the runner only looks again; see platform/due-work.ts.
  rechecks    smallint not null default 0,
  primary key (business_id, kind)
);
create index due_heads_due_at on due_heads (due_at);
select quittance_shared_table('due_heads');

-- One row for each Idempotency-Key; it commits with the first thing its request writes.
create table idempotency_keys (
  business_id text collate "C" not null,
  app_id      text collate "C" not null,
  endpoint    text collate "C" not null,
  key         text collate "C" not null,
  id          text collate "C" not null,
  fingerprint text collate "C" not null,
  created_at  timestamptz not null,
  -- The kept answer; null while the request is still running.
  status      smallint,
  body        json,
  primary key (business_id, app_id, endpoint, key)
);
create unique index idempotency_keys_id on idempotency_keys (business_id, id);
create index idempotency_keys_created_at on idempotency_keys (business_id, created_at);
select quittance_tenant_table('idempotency_keys');

-- Every state change, written in the transaction that made it.
create table events (
  business_id text collate "C" not null,
  id          text collate "C" not null,
  object_id   text collate "C" not null,
  sequence    integer not null,
  type        text collate "C" not null,
  timestamp   timestamptz not null,
  data        json not null,
  primary key (business_id, id)
);
-- Makes a gap or a double impossible to overlook: two writers of one object cannot both be next.
create unique index events_object_sequence on events (business_id, object_id, sequence);
create index events_newest on events (business_id, timestamp, id);
select quittance_tenant_table('events');

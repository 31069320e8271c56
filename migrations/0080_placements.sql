-- Up Migration

-- Where each table is on Citus: `tenant` tables are sharded by business and colocated, `reference` tables are on every node,
-- `coordinator` tables are on the coordinator and can be used from every node, and the rest is on the coordinator, for it alone
-- (docs/decisions/tenants-live-on-nodes).
create table placements (
  name      text collate "C" primary key,
  placement text collate "C" not null constraint placements_placement check (placement in ('tenant', 'reference', 'coordinator', 'local'))
);
insert into placements (name, placement)
select c.relname, 'tenant'
  from pg_class c
 where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and c.relrowsecurity and not c.relispartition;
insert into placements (name, placement) values
  ('business_clocks', 'tenant'),
  ('next_runs', 'tenant'),
  ('businesses', 'reference'),
  ('apps', 'reference'),
  ('api_keys', 'reference'),
  ('deposit_addresses', 'reference'),
  ('users', 'reference'),
  ('user_accounts', 'reference'),
  ('user_sessions', 'reference'),
  ('user_two_factors', 'reference'),
  ('user_passkeys', 'reference'),
  ('memberships', 'reference'),
  ('invitations', 'reference'),
  ('receipt_numbers', 'coordinator'),
  ('watched_chains', 'coordinator'),
  ('chain_transfers', 'coordinator'),
  ('watched_blocks', 'local'),
  ('user_verifications', 'local'),
  ('user_secrets', 'local'),
  ('user_setup_links', 'reference'),
  ('user_list_settings', 'local'),
  ('sign_in_failures', 'local'),
  ('ran_migrations', 'local'),
  ('processes', 'local'),
  ('recoveries', 'local'),
  ('placements', 'local');

-- A later migration calls these after `create table` and before it adds foreign keys. On a database that is distributed already
-- they distribute the table at once; otherwise `migrate` does so when all migrations have run.
create or replace function quittance_tenant_table(name text) returns void language plpgsql as $$
begin
  execute format('alter table %I enable row level security', name);
  execute format(
    'create policy tenant on %I to quittance_service using (business_id = current_setting(''quittance.business_id'', true))',
    name);
  execute format('grant select, insert, update, delete on %I to quittance_service', name);
  execute format('alter table %I alter column business_id set statistics 0', name);
  insert into placements (name, placement) values (name, 'tenant');
  if exists (select from pg_extension where extname = 'citus') then
    execute format('select create_distributed_table(%L, ''business_id'', colocate_with => ''business_clocks'')', name);
  end if;
end $$;

create or replace function quittance_shared_table(name text) returns void language plpgsql as $$
begin
  raise exception 'say where % is on Citus: quittance_shared_table(name, placement)', name;
end $$;
create function quittance_shared_table(name text, placement text) returns void language plpgsql as $$
begin
  execute format('grant select, insert, update, delete on %I to quittance_service', name);
  insert into placements (name, placement) values (name, placement);
  if exists (select from pg_extension where extname = 'citus') then
    if placement = 'reference' then
      execute format('select create_reference_table(%L)', name);
    elsif placement = 'coordinator' then
      execute format('select citus_add_local_table_to_metadata(%L)', name);
    end if;
  end if;
end $$;

-- How many payments of all tenants have an outcome that nobody knows, for /metrics. A function, because the view
-- `open_outcomes`, which older programs read, would look on other nodes as its reader, from whom rows are hidden.
create function quittance_open_outcomes() returns bigint
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return (select count(*) from acquirer_operations where status = 'unknown');
end $$;
revoke all on function quittance_open_outcomes() from public;
grant execute on function quittance_open_outcomes() to quittance_service;

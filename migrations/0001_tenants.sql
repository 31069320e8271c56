-- Up Migration

-- How tables belong to tenants. The service works as a role that owns nothing, so that row-level security binds it. Roles belong
-- to the whole server: another database there, or another process that starts now, may have made it.
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

-- Where each table is on Citus (docs/decisions/tenants-live-on-nodes).
create table placements (
  name      text collate "C" primary key,
  -- `tenant`: sharded by business and colocated. `reference`: on every node. `coordinator`: on the coordinator, usable from every
  -- node. `local`: on the coordinator, for it alone.
  placement text collate "C" not null
            constraint placements_placement check (placement in ('tenant', 'reference', 'coordinator', 'local'))
);

-- The service may use the table. On a database that is distributed already the table is distributed at once; otherwise `migrate`
-- distributes all tables when all migrations have run.
create function quittance_place_table(name text, placement text) returns void language plpgsql as $$
begin
  execute format('grant select, insert, update, delete on %I to quittance_service', name);
  insert into placements (name, placement) values (name, placement);
  if exists (select from pg_extension where extname = 'citus') then
    if placement = 'tenant' then
      execute format('select create_distributed_table(%L, ''business_id'', colocate_with => ''business_clocks'')', name);
    elsif placement = 'reference' then
      execute format('select create_reference_table(%L)', name);
    elsif placement = 'coordinator' then
      execute format('select citus_add_local_table_to_metadata(%L)', name);
    end if;
  end if;
end $$;

-- The service sees and writes only rows of the tenant that is set in its session.
create function quittance_hide_other_tenants(name text) returns void language plpgsql as $$
begin
  execute format('alter table %I enable row level security', name);
  execute format(
    'create policy tenant on %I to quittance_service using (business_id = current_setting(''quittance.business_id'', true))',
    name);
  -- Statistics would say that a tenant who came after them has no rows, and the planner would read all of its rows to look up a
  -- few (2.6 ms instead of 0.02 for the transactions of an order). Without them it takes a tenant for the two-hundredth part of
  -- the table, and uses the index.
  execute format('alter table %I alter column business_id set statistics 0', name);
end $$;

-- For the tables of tenants. Migrations call it after `create table` and before they add foreign keys.
create function quittance_tenant_table(name text) returns void language plpgsql as $$
begin
  perform quittance_hide_other_tenants(name);
  perform quittance_place_table(name, 'tenant');
end $$;

-- For tables that are read before the tenant is known, or belong to none.
create function quittance_shared_table(name text, placement text) returns void language plpgsql as $$
begin
  perform quittance_place_table(name, placement);
end $$;

insert into placements (name, placement) values ('placements', 'local');

-- Up Migration

-- Partitions are made and dropped by functions, because the service's role owns no table. They are named by the table and their
-- first day or month, so that old ones are found by name and dropped whole (docs/decisions/partitions-of-deliveries).
create function quittance_partitioned(parent text) returns regclass
language plpgsql set search_path = public, pg_temp as $$
begin
  if parent not in ('request_log', 'request_log_keys', 'deliveries', 'event_bundles') then
    raise exception '% has no partitions', parent;
  end if;
  return parent::regclass;
end $$;

create function quittance_default_partition(parent text) returns regclass
language sql stable set search_path = public, pg_temp as
  'select nullif(partdefid, 0)::regclass from pg_partitioned_table where partrelid = quittance_partitioned(parent)';

-- Says of the default partition that it holds nothing from `bound` on. Proved, it lets partitions be made without a scan that
-- would hold up writers.
create function quittance_bound_default_partition(parent text, bound text) returns void
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '2s' as $$
declare
  rest regclass := quittance_default_partition(parent);
  key text;
begin
  if rest is null then return; end if;
  select a.attname into key
    from pg_partitioned_table p join pg_attribute a on a.attrelid = p.partrelid and a.attnum = p.partattrs[0]
   where p.partrelid = parent::regclass;
  -- Another process may be proving it.
  perform from pg_constraint where conrelid = rest and conname = 'partition_bound' and position(bound in pg_get_constraintdef(oid)) > 0;
  if found then return; end if;
  execute format('alter table %s drop constraint if exists partition_bound', rest);
  execute format('alter table %s add constraint partition_bound check (%I < %L) not valid', rest, key, bound);
end $$;

create function quittance_prove_default_partition(parent text) returns void
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '2s' as $$
declare
  rest regclass := quittance_default_partition(parent);
begin
  if rest is null then return; end if;
  perform from pg_constraint where conrelid = rest and conname = 'partition_bound' and not convalidated;
  if not found then return; end if;
  execute format('alter table %s validate constraint partition_bound', rest);
end $$;

-- Makes the partitions that are missing: the one called `names[i]` from `lower_bounds[i]` up to `upper_bounds[i]`.
create function quittance_make_partitions(parent text, names text[], lower_bounds text[], upper_bounds text[]) returns void
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '2s' as $$
declare
  rest regclass := quittance_default_partition(parent);
  partition text;
begin
  perform pg_advisory_xact_lock(hashtext('quittance_partitions ' || parent));
  for i in 1 .. array_length(names, 1) loop
    partition := parent || '_' || names[i];
    continue when to_regclass(partition) is not null;
    -- Attaching locks the parent less than `create table … partition of` does.
    execute format('create table %I (like %I including defaults including constraints including indexes including storage)', partition, parent);
    perform quittance_hide_other_tenants(partition);
    if parent = 'deliveries' then
      execute format('alter table %I set (fillfactor = 50)', partition);
    end if;
    execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, partition, lower_bounds[i], upper_bounds[i]);
  end loop;
  if rest is not null then
    execute format('alter table %s drop constraint if exists partition_bound', rest);
  end if;
end $$;

-- Drops the partitions before the one called `first_kept`, save those with deliveries that are still to be sent. These are looked
-- for before the locks that hold everybody up, and once more under them, through the index of what was not delivered. The locks
-- are taken in the order of all statements, the table's before its partition's. Waits for no search longer than the timeout; the
-- next call tries again.
create function quittance_drop_partitions(parent text, first_kept text) returns integer
language plpgsql security definer
set search_path = public, pg_temp set lock_timeout = '2s' set enable_seqscan = off as $$
declare
  partition text;
  is_needed boolean := false;
  dropped integer := 0;
begin
  perform quittance_partitioned(parent);
  perform pg_advisory_xact_lock(hashtext('quittance_partitions ' || parent));
  for partition in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = quittance_partitioned(parent) and c.relname ~ ('^' || parent || '_\d+$')
       and c.relname < parent || '_' || first_kept
     order by c.relname
  loop
    if parent = 'deliveries' then
      execute format('select exists (select from %I where state = ''pending'')', partition) into is_needed;
      continue when is_needed;
      execute format('lock table only %I in access exclusive mode', parent);
      execute format('lock table %I in access exclusive mode', partition);
      execute format('select exists (select from %I where state = ''pending'')', partition) into is_needed;
      continue when is_needed;
    end if;
    execute format('drop table %I', partition);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;

revoke all on function quittance_partitioned(text) from public;
revoke all on function quittance_default_partition(text) from public;
revoke all on function quittance_bound_default_partition(text, text) from public;
revoke all on function quittance_prove_default_partition(text) from public;
revoke all on function quittance_make_partitions(text, text[], text[], text[]) from public;
revoke all on function quittance_drop_partitions(text, text) from public;
grant execute on function quittance_bound_default_partition(text, text) to quittance_service;
grant execute on function quittance_prove_default_partition(text) to quittance_service;
grant execute on function quittance_make_partitions(text, text[], text[], text[]) to quittance_service;
grant execute on function quittance_drop_partitions(text, text) to quittance_service;

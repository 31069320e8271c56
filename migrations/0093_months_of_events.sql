-- Up Migration

-- Documents of events get a partition for each month where EVENT_DAYS says how long they are kept
-- (docs/decisions/partitions-of-deliveries). The table of before becomes the default partition, and the only one without the setting:
-- nothing is read or copied. `count` lets `verify` find a place that is missing without keeping every bundle in memory; bundles of
-- before have none.
-- Needs programs from 0053, because `event_bundles` is found by its name as before, and takes the same statements.
alter table event_bundles add column count smallint;
alter table event_bundles rename to event_bundles_before;
alter index event_bundles_pkey rename to event_bundles_before_pkey;
create table event_bundles (like event_bundles_before including defaults including constraints including storage)
  partition by range (id);
alter table event_bundles add constraint event_bundles_pkey primary key (business_id, id);
delete from placements where name = 'event_bundles';
select quittance_tenant_table('event_bundles');
alter table event_bundles attach partition event_bundles_before default;

create or replace function quittance_partitioned(parent text) returns regclass
language plpgsql set search_path = public, pg_temp as $$
begin
  if parent not in ('request_log', 'request_log_keys', 'deliveries', 'event_bundles') then
    raise exception '% has no partitions', parent;
  end if;
  return parent::regclass;
end $$;

-- As before, and with the storage of columns: bundles are compressed already.
create or replace function quittance_make_partitions(parent text, names text[], lower_bounds text[], upper_bounds text[]) returns void
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
    execute format('alter table %I enable row level security', partition);
    execute format(
      'create policy tenant on %I to quittance_service using (business_id = current_setting(''quittance.business_id'', true))',
      partition);
    execute format('alter table %I alter column business_id set statistics 0', partition);
    if parent = 'deliveries' then
      execute format('alter table %I set (fillfactor = 50)', partition);
    end if;
    execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, partition, lower_bounds[i], upper_bounds[i]);
  end loop;
  if rest is not null then
    execute format('alter table %s drop constraint if exists partition_bound', rest);
  end if;
end $$;

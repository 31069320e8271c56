-- Up Migration

-- Every API request of the last days, found by its id and by the objects that it names. Partitioned by day on the real clock,
-- so that an old day is dropped whole.
create table request_log (
  business_id     text collate "C" not null,
  created_at      timestamptz not null,
  id              text collate "C" not null,
  -- Callers may choose it, so several requests may have the same.
  request_id      text collate "C" not null,
  method          text collate "C" not null,
  path            text collate "C" not null,
  query           text collate "C" not null,
  route           text collate "C" not null,
  status          smallint not null,
  reason          text collate "C",
  duration_us     integer not null,
  actor_type      text collate "C" not null,
  actor_id        text collate "C" not null,
  app_id          text collate "C" not null,
  ip_address      text collate "C" not null,
  user_agent      text,
  idempotency_key text collate "C",
  is_replayed     boolean not null,
  -- Separated by spaces.
  object_ids      text collate "C" not null,
  -- Redacted UTF-8. Not a JSON type, because a body that was cut is no JSON.
  request_body    bytea,
  response_body   bytea,
  primary key (business_id, created_at, id)
) partition by range (created_at);
select quittance_tenant_table('request_log');

-- What a request is looked up by: `r:` its id, `i:` its idempotency key, `o:` an object that it names. An array in request_log
-- could not be searched by index, because its operators are not leakproof and row-level security comes first.
create table request_log_keys (
  business_id text collate "C" not null,
  key         text collate "C" not null,
  created_at  timestamptz not null,
  id          text collate "C" not null,
  primary key (business_id, key, created_at, id)
) partition by range (created_at);
select quittance_tenant_table('request_log_keys');

-- Makes the partitions of the days from `first` to `last` and drops those before `keep_from`. The service's role owns nothing
-- and may not do this itself. It waits for no search longer than the timeout; the next call tries again.
create function quittance_request_log_days(first date, last date, keep_from date) returns integer
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '2s' as $$
declare
  parent text;
  partition text;
  day date;
  dropped integer := 0;
begin
  perform pg_advisory_xact_lock(hashtext('quittance_request_log_days'));
  foreach parent in array array['request_log', 'request_log_keys'] loop
    for day in select d::date from generate_series(first::timestamp, last::timestamp, '1 day') d loop
      partition := parent || to_char(day, '"_"YYYYMMDD');
      continue when to_regclass(partition) is not null;
      -- Attaching locks the parent less than `create table … partition of` does.
      execute format('create table %I (like %I including defaults including constraints including indexes)', partition, parent);
      execute format('alter table %I enable row level security', partition);
      execute format(
        'create policy tenant on %I to quittance_service using (business_id = current_setting(''quittance.business_id'', true))',
        partition);
      execute format('alter table %I alter column business_id set statistics 0', partition);
      execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, partition,
                     day || ' 00:00:00+00', (day + 1) || ' 00:00:00+00');
    end loop;
    for partition in
      select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = parent::regclass and c.relname < parent || to_char(keep_from, '"_"YYYYMMDD')
       order by c.relname
    loop
      execute format('drop table %I', partition);
      dropped := dropped + 1;
    end loop;
  end loop;
  return dropped;
end $$;
revoke all on function quittance_request_log_days(date, date, date) from public;
grant execute on function quittance_request_log_days(date, date, date) to quittance_service;
select quittance_request_log_days(today, today + 2, today) from (select (now() at time zone 'UTC')::date as today) as days;

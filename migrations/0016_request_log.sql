-- Up Migration

-- The API requests of the last days. A partition for each day on the real clock, so that an old day is dropped whole.
create table request_log (
  business_id     text collate "C" not null,
  created_at      timestamptz not null,
  id              text collate "C" not null,
  -- Callers may choose it, so several requests may have the same one.
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
  -- Redacted UTF-8. A body that was cut is no JSON.
  request_body    bytea,
  response_body   bytea,
  primary key (business_id, created_at, id)
) partition by range (created_at);
select quittance_tenant_table('request_log');

-- What requests are looked up by. An array in request_log could not be searched by an index, because its operators are not leakproof and
-- row-level security comes first.
create table request_log_keys (
  business_id text collate "C" not null,
  -- `r:` and its id, `i:` and its idempotency key, or `o:` and the id of an object that it names.
  key         text collate "C" not null,
  created_at  timestamptz not null,
  id          text collate "C" not null,
  primary key (business_id, key, created_at, id)
) partition by range (created_at);
select quittance_tenant_table('request_log_keys');

-- Today and the next two days, for requests that come before the first worker makes partitions.
select quittance_make_partitions(parent, array_agg(to_char(day, 'YYYYMMDD')), array_agg(to_char(day, 'YYYY-MM-DD') || ' 00:00:00+00'),
                                 array_agg(to_char(day + interval '1 day', 'YYYY-MM-DD') || ' 00:00:00+00'))
  from unnest(array['request_log', 'request_log_keys']) parent,
       generate_series((now() at time zone 'UTC')::date::timestamp, (now() at time zone 'UTC')::date + 2, '1 day') day
 group by parent;

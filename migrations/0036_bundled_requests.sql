-- Up Migration

alter table request_log
  -- How long after created_at the request arrived. Requests that are written together have the second in common.
  add column after_ms smallint not null default 0,
  -- The other requests of the same caller and second that were written with this one, by the names of the columns. What they do not say
  -- is as in this row (the caller), as `route` (the path), or empty. `bodies` has the bodies of all.
  add column others   json,
  -- Hashes of what these requests are looked up by: their idempotency keys, and the objects that they name.
  add column keys     integer[];
create index request_log_keyed on request_log using gin (keys);

comment on table request_log_keys is 'The ids that callers chose for their requests. Before 0036 each idempotency key and object had a row, too.';

-- Where requests with one of these keys may be, the newest first, and all of the last second. A hash may be that of another key. The
-- service cannot use the index, because the operators of arrays are not leakproof and row-level security comes first. The settings keep
-- the planner from reading all entries of the tenant.
create function quittance_requests_with(wanted text[], before timestamptz, most integer) returns table (created_at timestamptz, id text)
language plpgsql stable security definer
set search_path = public, pg_temp set enable_seqscan = off set enable_indexscan = off as $$
declare
  tenant text := current_setting('quittance.business_id');
  hashes integer[] := array(select ('x' || encode(substr(sha256(convert_to(w.key, 'UTF8')), 1, 4), 'hex'))::bit(32)::integer
                              from unnest(wanted) w (key));
begin
  return query
    select p.created_at, p.id
      from ((select r.created_at, r.id from request_log r
              where r.keys && hashes and r.business_id || '' = tenant and r.created_at < before
              order by r.created_at desc fetch first most rows with ties)
            union all
            (select k.created_at, k.id from request_log_keys k
              where k.business_id = tenant and k.key = any(wanted) and k.created_at < before
              order by k.created_at desc fetch first most rows with ties)) p
     order by p.created_at desc fetch first most rows with ties;
end $$;
revoke all on function quittance_requests_with(text[], timestamptz, integer) from public;
grant execute on function quittance_requests_with(text[], timestamptz, integer) to quittance_service;

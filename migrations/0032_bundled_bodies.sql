-- Up Migration
-- Stands for c7e97238b8e0e11e83d31d55445ce93d93bcbe1d145003ffba6468477713c367: the same schema and rows, in statements that Citus takes.

-- Bodies of requests that were written together are nearly alike, so they are kept together, in the row of one of them.
alter table request_log
  -- Zstandard (RFC 8878) of a JSON list of pairs: a request's body and its reply's, redacted, or null. A body that was cut is no JSON.
  add column bodies       bytea,
  -- The row that has the bodies of this request, and its pair there, from 0. Null in rows that have their own.
  add column bodies_at    timestamptz,
  add column bodies_id    text collate "C",
  add column bodies_place smallint;
-- On Citus shards that are there already keep the default, which tries in vain to compress what is compressed. Later partitions are
-- made like the coordinator's.
do $$
begin
  if exists (select from pg_extension where extname = 'citus') then
    set local citus.enable_ddl_propagation to off;
  end if;
  alter table request_log alter column bodies set storage external;
  if exists (select from pg_extension where extname = 'citus') then
    set local citus.enable_ddl_propagation to on;
  end if;
end $$;

-- Up Migration

-- The hash of each migration that the database ran. Not columns of `schema_migrations`, which another session reads while
-- migrations run.
create table ran_migrations (
  name   text collate "C" primary key,
  sha256 text not null,
  -- The newest migration that a program must know to run from then on; null where older programs notice nothing.
  needs  text collate "C"
);
select quittance_shared_table('ran_migrations', 'local');

-- The processes at work. A migration that older programs do not survive waits until they are gone, and after a recovery the newest
-- `seen_at` tells up to when the database remembers.
create table processes (
  id               text collate "C" primary key,
  -- The newest migration that the program knows.
  newest_migration text collate "C" not null,
  started_at       timestamptz not null,
  -- Every ten seconds.
  seen_at          timestamptz not null
);
select quittance_shared_table('processes', 'local');

-- Which server and timeline the database is on, and each time that it came back from a backup: what acquirers booked between `since`
-- and `recovered_at` may be unknown here.
create table recoveries (
  id                text collate "C" primary key,
  system_identifier text collate "C" not null,
  timeline          integer not null,
  -- Null for the first row, which is no recovery.
  since             timestamptz,
  recovered_at      timestamptz not null
);
select quittance_shared_table('recoveries', 'local');

-- When each job of each tenant runs next, in real time: the one read across tenants (docs/decisions/next-runs-without-locks).
create table next_runs (
  business_id text collate "C" not null,
  job         text collate "C" not null,
  due_at      timestamptz not null,
  -- Above 0 when nothing is known to be due and the runner only looks again.
  rechecks    smallint not null default 0,
  primary key (business_id, job)
);
create index next_runs_due_at on next_runs (due_at);
select quittance_shared_table('next_runs', 'tenant');

-- One row for each Idempotency-Key, committed with the first thing that its request writes.
create table idempotency_keys (
  business_id text collate "C" not null,
  app_id      text collate "C" not null,
  endpoint    text collate "C" not null,
  key         text collate "C" not null,
  -- By which an operation under way names the reply that it has to store.
  id          text collate "C" not null,
  -- A keyed hash of the request without its CVC, so that a key sent with another request is noticed.
  fingerprint text collate "C" not null,
  created_at  timestamptz not null,
  -- The HTTP status and the body of the reply; null while the request is running.
  status      smallint,
  body        json,
  -- The outcome was not known when the request was first answered (504). A repeat shows order and transaction as they are now.
  was_unknown boolean not null default false,
  primary key (business_id, app_id, endpoint, key)
);
create unique index idempotency_keys_id on idempotency_keys (business_id, id);
create index idempotency_keys_created_at on idempotency_keys (business_id, created_at);
select quittance_tenant_table('idempotency_keys');

-- Every change of a state, written in the transaction that made it. Two writers of one object cannot both be next, so a gap or a
-- double shows. Nobody looks for an event by its id.
create table events (
  business_id text collate "C" not null,
  id          text collate "C" not null,
  object_id   text collate "C" not null,
  -- Counts the events of the object from 1.
  sequence    integer not null,
  type        text collate "C" not null,
  -- On the business's clock.
  timestamp   timestamptz not null,
  -- The document; null if it stands in a bundle.
  data        json,
  bundle_id   text collate "C",
  -- In the bundle, from 0.
  place       integer,
  -- The request that caused the event.
  request_id  text collate "C",
  -- The trace of what caused it (W3C), so that its deliveries belong to that trace even when another process makes them. Null where
  -- nothing was traced.
  traceparent text,
  -- The API key or the user who moved money by it. The request log, which knows it too, is kept for days only.
  actor_id    text collate "C",
  constraint events_object_sequence primary key (business_id, object_id, sequence),
  constraint events_document check (num_nonnulls(bundle_id, place) = case when data is null then 2 else 0 end)
);
-- The list of all types merges the types, so no index of all events is needed, and an event of a rare type is found without reading
-- the others (ten seconds in 3.4 million events).
create index events_of_type on events (business_id, type, timestamp, id);
select quittance_tenant_table('events');

-- Documents of events that were written together, compressed together to a tenth of what each takes by itself
-- (docs/decisions/event-bundles). A partition for each month where EVENT_DAYS says how long they are kept; otherwise all rows are in
-- the default partition.
create table event_bundles (
  business_id text collate "C" not null,
  -- Begins with the real time, so partitions go by it.
  id          text collate "C" not null,
  -- Zstandard (RFC 8878) of one JSON document a line.
  documents   bytea not null,
  -- How many documents there are, so that `verify` finds a missing one without keeping every bundle in memory.
  count       smallint not null,
  primary key (business_id, id)
) partition by range (id);
-- Compressed already.
alter table event_bundles alter column documents set storage external;
select quittance_tenant_table('event_bundles');
create table event_bundles_default partition of event_bundles default;
select quittance_hide_other_tenants('event_bundles_default');

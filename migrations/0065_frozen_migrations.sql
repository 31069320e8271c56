-- Up Migration

-- What a migration's text was when the database ran it, and the oldest program that may run afterwards; null: any that
-- runs on a newer database at all. Not columns of `schema_migrations`, which is read while migrations run.
create table ran_migrations (
  name   text collate "C" primary key,
  sha256 text not null,
  needs  text collate "C"
);
select quittance_shared_table('ran_migrations');

-- The processes at work. A migration that ends the support of a version waits for processes of that version to be gone,
-- and after a recovery the newest `seen_at` tells up to when the database remembers.
create table processes (
  id               text collate "C" primary key,
  newest_migration text collate "C" not null,
  started_at       timestamptz not null,
  seen_at          timestamptz not null
);
select quittance_shared_table('processes');

-- Which cluster and timeline the database is on, and each time that it came back from a backup: what the acquirers booked
-- between `since` and `recovered_at` may be unknown here.
create table recoveries (
  id                text collate "C" primary key,
  system_identifier text collate "C" not null,
  timeline          integer not null,
  since             timestamptz,
  recovered_at      timestamptz not null
);
select quittance_shared_table('recoveries');

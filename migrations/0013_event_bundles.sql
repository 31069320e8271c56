-- Up Migration

-- Events that are written together say nearly the same: the documents of a billing run's events are compressed together,
-- to a tenth of what each takes by itself (docs/decisions/0005-events.md). Zstandard (RFC 8878) of one JSON
-- document a line.
create table event_bundles (
  business_id text collate "C" not null,
  id          text collate "C" not null,
  documents   bytea not null,
  primary key (business_id, id)
);
-- Compressed already.
alter table event_bundles alter column documents set storage external;
select quittance_tenant_table('event_bundles');

-- An event has its document itself, or its place in a bundle, counted from 0. What was written before has its own.
alter table events alter column data drop not null;
alter table events add column bundle_id text collate "C", add column place integer;
alter table events add constraint events_document
  check (num_nonnulls(bundle_id, place) = case when data is null then 2 else 0 end) not valid;

-- Nobody looks for an event by its id: deliveries know its object and its sequence.
alter table events drop constraint events_pkey;
alter table events add constraint events_object_sequence primary key using index events_object_sequence;

-- Up Migration

-- A type of event is found without reading all the others: one that a business has not, or had last years ago, took ten
-- seconds of 3.4 million events, and was given up then. The list of all types merges them (webhooks/event.repository.ts),
-- so that this takes the place of the index of all events, and an event writes no index more than before.
create index events_of_type on events (business_id, type, timestamp, id);
drop index events_newest;

-- The youngest, so that it is taken where the statistics are those of a small table, or none as after a restore, and all
-- indexes look the same: in that of states each look at an object's queue read all that was pending (300,000 deliveries
-- that a dead receiver had not taken: 0.5 s for each order that was made).
drop index deliveries_queue;
create index deliveries_queue on deliveries (business_id, object_id, lane, sequence, id)
  where state = 'pending' and in_order;

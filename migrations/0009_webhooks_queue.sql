-- Up Migration

-- With `id` at its end PostgreSQL 18 took this index for look-ups by id, and skipped through all deliveries of the
-- business: 14 ms for a batch of 200 at 15,000 deliveries. An event has about as many deliveries as a business has
-- endpoints, a hundred at most: they are sorted when they are listed.
drop index deliveries_event;
create index deliveries_event on deliveries (business_id, event_id);

-- All rows of a page are leased at about the same time, so each needs room for its second version there. Without it the
-- lease wrote every index (half of all WAL of a delivery).
alter table deliveries set (fillfactor = 50);

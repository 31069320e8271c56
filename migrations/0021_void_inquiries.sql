-- Up Migration

-- A reversal of an order's void that never reached the acquirer is sent again; without a count that outlives it, it was
-- sent every second for as long as the acquirer was down.
alter table orders add column void_inquiries integer not null default 0;

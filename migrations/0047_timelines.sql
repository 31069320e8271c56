-- Up Migration

-- A timeline names the request that caused an event, and finds the disputes of an order.
alter table events add column request_id text collate "C";
create index disputes_of_order on disputes (business_id, order_id) where order_id is not null;

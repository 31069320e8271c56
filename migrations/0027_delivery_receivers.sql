-- Up Migration

-- A delivery goes to a receiver: a host and the hash of a URL. It was called a lane, and its creation its making.
alter table deliveries rename column lane to receiver;
alter table deliveries rename column made_at to created_at;
alter index deliveries_lane rename to deliveries_receiver;

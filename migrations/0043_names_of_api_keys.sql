-- Up Migration

-- People tell keys apart by their names. Keys that were made before have none.
alter table api_keys add column name text;

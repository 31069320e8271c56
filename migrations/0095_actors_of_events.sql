-- Up Migration

-- Who moved money: the API key or the user whose request caused an event of a transaction or a void. The request log, which
-- knows it too, is kept for days only. Null for what a payer or the service did, and for events of earlier versions.
alter table events add column actor_id text collate "C";

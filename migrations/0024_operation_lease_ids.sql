-- Up Migration

-- Names the lease of an operation, so that a sender whose lease was taken over after it expired records nothing any more.
alter table acquirer_operations add column lease_id text collate "C";

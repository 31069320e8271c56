-- Up Migration

-- What the acquirer gave the payer for us, encrypted. A request with it may be lost or refused and is sent again, so it is kept
-- until the outcome is known.
alter table acquirer_operations add column sealed_returned text;

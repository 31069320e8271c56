-- Up Migration

-- A fingerprint was a hash of the request that anybody can compute: of a request that bound a card, its number and CVC
-- could be found by trying. From here on a key goes into it that is not in the database, and the CVC is left out. Null: the
-- request came before, and whoever sends its Idempotency-Key again, within 30 days, is taken at their word. (A payment
-- page's is made of the order's id.)
alter table idempotency_keys alter column fingerprint drop not null;
update idempotency_keys set fingerprint = null where endpoint <> 'checkout';

-- The webhook secret of a tenant can be rotated, as an endpoint's: the previous one signs beside it until then (the real clock).
alter table businesses
  add column previous_webhook_secret text collate "C",
  add column previous_until          timestamptz,
  add check ((previous_webhook_secret is null) = (previous_until is null));

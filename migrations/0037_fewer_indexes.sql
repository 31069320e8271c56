-- Up Migration
-- Needs programs from 0036
-- An older program would erase a customer without opening `others` of the request log, and cannot read what was compressed with a
-- dictionary.

comment on column event_bundles.documents is
  'Zstandard (RFC 8878) of one JSON document a line, with the dictionary of `platform/compression`; without it before 0036.';
comment on column request_log.bodies is
  'Zstandard (RFC 8878), with the dictionary of `platform/compression`, of a JSON list of pairs: a request''s body and its reply''s, redacted, or null. A body that was cut is no JSON.';

-- Each payment wrote into them for lists that few ask for: these read the newest first (reference/payments#listing).
drop index transactions_last_4;
drop index transactions_declined;
drop index transactions_account;

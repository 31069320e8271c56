-- Up Migration

-- Bodies of requests that were written together are nearly alike, so they are kept together, in the row of one of them.
alter table request_log
  -- Zstandard (RFC 8878) of a JSON list of pairs: a request's body and its reply's, redacted, or null. A body that was cut is no JSON.
  add column bodies       bytea,
  -- The row that has the bodies of this request, and its pair there, from 0. Null in rows that have their own.
  add column bodies_at    timestamptz,
  add column bodies_id    text collate "C",
  add column bodies_place smallint;
alter table request_log alter column bodies set storage external;

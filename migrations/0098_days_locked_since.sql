-- Up Migration

-- When days were closed, so that verify finds what was recorded on them afterwards.
alter table billing_settings add column locked_at timestamptz;
comment on column billing_settings.locked_at is 'Since when locked_until is as it is, on the business''s clock; null where it was set before this column.';

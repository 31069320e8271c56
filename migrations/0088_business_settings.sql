-- Up Migration

alter table businesses add column updated_at timestamptz;
create index businesses_updated on businesses (updated_at) where updated_at is not null;
comment on column businesses.updated_at is 'When its name, time zone or currency last changed, on the real clock; null for never. Processes forget what they cached of it.';

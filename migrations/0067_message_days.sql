-- Up Migration

alter table message_settings add column message_days integer not null default 400;
alter table message_settings add constraint message_settings_message_days_check check (message_days between 1 and 3660) not valid;
comment on column message_settings.message_days is 'For how many days messages are kept.';

-- Up Migration

comment on column disputes.updated_at is 'On the real clock.';
comment on column message_settings.reply_to is 'The address to which payers reply; null for the sender''s.';

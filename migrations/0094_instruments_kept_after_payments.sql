-- Up Migration

alter table acquirer_operations add column keep_as text collate "C";
alter table acquirer_operations add constraint acquirer_operations_keep_as_check check (keep_as in ('token', 'default')) not valid;
comment on column acquirer_operations.keep_as is 'What the payer''s card becomes once the payment is approved: a token, or also the customer''s default; null where it is not kept, or where the response of the charge itself brings it.';

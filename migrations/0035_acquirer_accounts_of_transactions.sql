-- Up Migration

-- A transaction remembers the account it was sent to, and an operation the acquirer's own id, which is committed before money
-- can move. `sent_at` is the real time of the first call: acquirers forget idempotency keys after a day or a week.
-- A payment that a fallback account tries again names the try before it.
alter table transactions
  add column acquirer_account_id text collate "C" not null default 'simulator',
  add column fallback_of text collate "C";
alter table transactions alter column acquirer_account_id drop default;
alter table acquirer_operations
  add column reference text collate "C",
  add column original_reference text collate "C",
  add column sent_at timestamptz,
  add column fallback_accounts json not null default '[]';

-- A token of an acquirer's own vault belongs to one account there. `payer_reference` is the payer's id at the acquirer.
alter table payment_tokens
  add column acquirer_account_id text collate "C",
  add column acquirer_token text collate "C",
  add column payer_reference text collate "C",
  add column card_country text collate "C",
  add column verification_reference text collate "C",
  add column verification_sent_at timestamptz,
  -- When the card is read again at the acquirer, which said that it changed.
  add column refresh_due_at timestamptz;
create index payment_tokens_to_refresh on payment_tokens (business_id, refresh_due_at) where refresh_due_at is not null;
create unique index payment_tokens_by_acquirer_token on payment_tokens (business_id, acquirer_account_id, acquirer_token)
  where acquirer_token is not null and state in ('pending', 'active');
create index acquirer_operations_by_reference on acquirer_operations (business_id, reference) where reference is not null;

-- The digits of an acquirer's token are known only once it has been verified. An active card can be charged one way or another.
alter table payment_tokens
  drop constraint payment_tokens_check1,
  add constraint payment_tokens_digits_check check (token_type = 'CreditCard' or last_4 is null),
  add constraint payment_tokens_chargeable_check check (
    token_type <> 'CreditCard' or state <> 'active' or sealed_number is not null or acquirer_token is not null);

-- Up Migration

-- Whom a business bills. `reference_number` is the caller's own and never changes.
create table customers (
  business_id            text collate "C" not null,
  uuid                   text collate "C" not null,
  reference_number       text collate "C" not null,
  name                   text not null,
  email                  text,
  dial_code              text,
  phone                  text not null,
  company_name           text,
  default_payment_method text collate "C",
  -- A column of the customer, so that there can never be two defaults. Only a stored-active token stands here.
  default_token          text collate "C",
  created_at             timestamptz not null,
  updated_at             timestamptz not null,
  primary key (business_id, uuid)
);
create unique index customers_reference_number on customers (business_id, reference_number);
-- Lists: newest first, ties by id.
create index customers_newest on customers (business_id, created_at, uuid);
select quittance_tenant_table('customers');

-- Cards and auto-debit agreements of customers. A row is committed as `pending` before the acquirer is asked, so that a
-- crash leaves what was under way.
create table payment_tokens (
  business_id       text collate "C" not null,
  token             text collate "C" not null,
  customer_uuid     text collate "C" not null,
  token_type        text collate "C" not null
                    check (token_type in ('CreditCard', 'WalletAPayAutoDebit', 'WalletBAutoDebit')),
  -- `expired` is never stored: it follows from `expires_at` and the business's clock.
  state             text collate "C" not null check (state in ('pending', 'active', 'failed', 'deleted')),
  -- The key under which the acquirer knows the verification, and the name of its page. For life.
  verify_uuid       text collate "C" not null,
  -- What the caller said of `default`; null when nothing.
  wants_default     boolean,
  brand             text collate "C",
  first_6           text collate "C",
  last_4            text collate "C",
  number_length     smallint,
  holder_name       text,
  exp_month         smallint,
  exp_year          smallint,
  billing_currency  text collate "C",
  -- The end of the card's last month in the business's time zone.
  expires_at        timestamptz,
  -- The card number under envelope encryption (platform/keyring.ts). Erased once the token can never be charged.
  sealed_number     text collate "C",
  error_code        text,
  error_msg         text,
  return_url        text,
  -- While pending: who is waited for, and where the payer goes at the acquirer.
  awaiting          text collate "C" check (awaiting in ('acquirer', 'payer')),
  next_action_url   text,
  -- How often the acquirer was asked in vain what became of it, when the next time is due (the business's clock), and until
  -- when someone else is at it (the real clock).
  inquiries         integer not null default 0,
  due_at            timestamptz,
  leased_until      timestamptz,
  -- The caller's Idempotency-Key whose answer is still owed.
  idempotency_id    text collate "C",
  created_at        timestamptz not null,
  updated_at        timestamptz not null,
  primary key (business_id, token),
  foreign key (business_id, customer_uuid) references customers (business_id, uuid),
  check ((state = 'pending') = (due_at is not null and awaiting is not null)),
  check ((token_type = 'CreditCard') = (last_4 is not null)),
  check (sealed_number is null or state in ('pending', 'active'))
);
create unique index payment_tokens_verify_uuid on payment_tokens (business_id, verify_uuid);
-- A customer's tokens, newest first; deleted ones are neither listed nor counted.
create index payment_tokens_customer on payment_tokens (business_id, customer_uuid, created_at, token)
  where state <> 'deleted';
create index payment_tokens_due on payment_tokens (business_id, due_at) where due_at is not null;
-- Key rotation walks over what is sealed.
create index payment_tokens_sealed on payment_tokens (business_id, token) where sealed_number is not null;
select quittance_tenant_table('payment_tokens');

alter table customers add foreign key (business_id, default_token) references payment_tokens (business_id, token);

-- Up Migration

-- Whom a business bills.
create table customers (
  business_id            text collate "C" not null,
  uuid                   text collate "C" not null,
  -- The caller's own; never changes.
  reference_number       text collate "C" not null,
  name                   text not null,
  email                  text,
  dial_code              text,
  phone                  text not null,
  company_name           text,
  default_payment_method text collate "C",
  -- A column of the customer, so that there can never be two defaults. Only an active token stands here.
  default_token          text collate "C",
  -- Keys and values of the caller's own. Null instead of an empty object, so that rows without them do not grow.
  metadata               jsonb,
  created_at             timestamptz not null,
  updated_at             timestamptz not null,
  -- Since when the personal data is gone, while books and logs stay.
  erased_at              timestamptz,
  primary key (business_id, uuid)
);
create unique index customers_reference_number on customers (business_id, reference_number);
create index customers_newest on customers (business_id, created_at, uuid);
-- The foreign key of default tokens looks up each deleted token here. Without an index it reads all customers.
create index customers_default_token on customers (business_id, default_token) where default_token is not null;
select quittance_tenant_table('customers');

-- Cards and auto-debit agreements of customers. A row is committed as `pending` before the acquirer is called, so that after a crash
-- it says what was under way.
create table payment_tokens (
  business_id            text collate "C" not null,
  token                  text collate "C" not null,
  customer_uuid          text collate "C" not null,
  token_type             text collate "C" not null
                         check (token_type in ('CreditCard', 'WalletAPayAutoDebit', 'WalletBAutoDebit')),
  -- `expired` is never stored: it follows from `expires_at` and the business's clock.
  state                  text collate "C" not null check (state in ('pending', 'active', 'failed', 'deleted')),
  -- Our key of the verification at the acquirer, and the name of its page.
  verify_uuid            text collate "C" not null,
  -- The caller's `default`; null when the request had none.
  default_requested      boolean,
  -- What may be shown of a card.
  brand                  text collate "C",
  first_6                text collate "C",
  last_4                 text collate "C",
  number_length          smallint,
  holder_name            text,
  exp_month              smallint,
  exp_year               smallint,
  billing_currency       text collate "C",
  -- The end of the card's last month in the business's time zone.
  expires_at             timestamptz,
  -- The encrypted card number (platform/security). Erased once the token can never be charged.
  sealed_number          text collate "C",
  error_code             text,
  error_msg              text,
  return_url             text,
  -- While pending: whom we wait for, and the acquirer's page for the payer.
  awaiting               text collate "C" check (awaiting in ('acquirer', 'payer')),
  next_action_url        text,
  -- Inquiries without an outcome, when the next is due (on the business's clock), and the end of the lease (on the real clock).
  inquiries              integer not null default 0,
  due_at                 timestamptz,
  leased_until           timestamptz,
  -- The caller's Idempotency-Key whose reply is not stored yet.
  idempotency_id         text collate "C",
  -- A token of an acquirer's own vault belongs to one account there.
  acquirer_account_id    text collate "C",
  acquirer_token         text collate "C",
  -- The payer's id at the acquirer.
  payer_reference        text collate "C",
  card_country           text collate "C",
  -- The acquirer's id of the verification, and the real time at which it was sent.
  verification_reference text collate "C",
  verification_sent_at   timestamptz,
  -- When the card is read again at the acquirer, which said that it changed.
  refresh_due_at         timestamptz,
  created_at             timestamptz not null,
  updated_at             timestamptz not null,
  primary key (business_id, token),
  foreign key (business_id, customer_uuid) references customers (business_id, uuid),
  constraint payment_tokens_pending check ((state = 'pending') = (due_at is not null and awaiting is not null)),
  -- The digits of an acquirer's token are known only once it has been verified.
  constraint payment_tokens_digits check (token_type = 'CreditCard' or last_4 is null),
  constraint payment_tokens_sealed_number check (sealed_number is null or state in ('pending', 'active')),
  constraint payment_tokens_chargeable check (
    token_type <> 'CreditCard' or state <> 'active' or sealed_number is not null or acquirer_token is not null)
);
create unique index payment_tokens_verify_uuid on payment_tokens (business_id, verify_uuid);
-- Deleted tokens are neither listed nor counted.
create index payment_tokens_customer on payment_tokens (business_id, customer_uuid, created_at, token)
  where state <> 'deleted';
create index payment_tokens_due on payment_tokens (business_id, due_at) where due_at is not null;
-- Key rotation walks over what is sealed.
create index payment_tokens_sealed on payment_tokens (business_id, token) where sealed_number is not null;
-- Failed tokens are deleted 30 days after they failed, oldest first.
create index payment_tokens_failed on payment_tokens (business_id, updated_at, token) where state = 'failed';
create index payment_tokens_to_refresh on payment_tokens (business_id, refresh_due_at) where refresh_due_at is not null;
create unique index payment_tokens_by_acquirer_token on payment_tokens (business_id, acquirer_account_id, acquirer_token)
  where acquirer_token is not null and state in ('pending', 'active');
create index payment_tokens_last_4 on payment_tokens (business_id, last_4, created_at, token) where last_4 is not null;
select quittance_tenant_table('payment_tokens');

alter table customers add foreign key (business_id, default_token) references payment_tokens (business_id, token);

-- What customers are found by (`quittance_customer_terms`).
create table customer_terms (
  business_id   text collate "C" not null,
  term          text collate "C" not null,
  customer_uuid text collate "C" not null,
  primary key (business_id, term, customer_uuid)
);
select quittance_tenant_table('customer_terms');

-- Their words by what a word typed wrong has in common with them (`quittance_typo_keys`).
create table customer_word_keys (
  business_id text collate "C" not null,
  key         text collate "C" not null,
  word        text collate "C" not null,
  primary key (business_id, key, word)
);
select quittance_tenant_table('customer_word_keys');

-- The customer of each failed token that was purged: the events of the token stay, and an erasure of the customer must find them.
create table purged_payment_tokens (
  business_id   text collate "C" not null,
  token         text collate "C" not null,
  customer_uuid text collate "C" not null,
  primary key (business_id, customer_uuid, token)
);
select quittance_tenant_table('purged_payment_tokens');

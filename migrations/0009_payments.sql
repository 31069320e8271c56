-- Up Migration

-- Ten-thousandths of the currency's unit, without the sign: one number for the same amount in all currencies. Null beyond 10^14 minor
-- units. Row-level security keeps an index from being used by an operator that is not leakproof, which `=` of numeric is not.
create function quittance_amount_key(currency text, minor numeric) returns bigint
  language sql immutable parallel safe
  return case when abs(minor) < 1e14 then (abs(minor) * case
    when currency in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND', 'VUV',
                      'XAF', 'XOF', 'XPF') then 10000
    when currency in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') then 10
    when currency in ('CLF', 'UYW') then 1
    else 100 end)::bigint end;

-- What is to be paid. Paid and reserved amounts are sums over the order's transactions, kept here so that a payment is decided by one
-- locked row. A billing run writes thousands of neighbouring rows and updates each a moment later: with room for that on their page no
-- index is touched.
create table orders (
  business_id         text collate "C" not null,
  -- The interface calls it `number`.
  id                  text collate "C" not null,
  source              text collate "C" not null check (source in ('api', 'recurring', 'payment_link')),
  type                text collate "C" not null check (type in ('one_off', 'recurring')),
  reference_number    text collate "C" not null,
  currency            text collate "C" not null,
  due_date            date,
  -- As the order was made.
  initial_total_minor numeric(30,0) not null check (initial_total_minor >= 0),
  initial_tips_minor  numeric(30,0) not null check (initial_tips_minor >= 0),
  paid_total_minor    numeric(30,0) not null default 0,
  -- Of transactions that are initiated, pending, waiting for the payer, unknown, or authorized and not yet captured.
  reserved_minor      numeric(30,0) not null default 0 check (reserved_minor >= 0),
  state               text collate "C" not null
                      check (state in ('open', 'completed', 'refunded', 'voided', 'expired')),
  -- The state where it is one that few orders have: lists of the others need no index, which each payment would write.
  closed_state        text collate "C"
                      generated always as (case when state in ('refunded', 'voided', 'expired') then state end) stored,
  customer_uuid       text collate "C",
  -- The plan that made the order, and what metadata it had then. Payments cannot read the tables of recurring, which is built on top.
  plan_id             text collate "C",
  plan_metadata       jsonb,
  -- Keys and values of the caller's own. Null instead of an empty object, so that rows without them do not grow.
  metadata            jsonb,
  return_url          text,
  notify_url          text,
  timeout_timer       text,
  timeout_seconds     integer,
  timeout_url         text,
  -- When an unpaid order runs out of time (on the business's clock); null when it no longer can.
  expires_at          timestamptz,
  -- The lines never change after the order is made, so they are read and written with it.
  line_items          json,
  -- A void that is under way: why, the Idempotency-Key and the request whose reply is not stored yet, when it is tried again, and how
  -- often it was.
  void_mode           text collate "C" check (void_mode in ('merchant', 'grace')),
  void_idempotency_id text collate "C",
  void_request_id     text collate "C",
  void_due_at         timestamptz,
  void_inquiries      integer not null default 0,
  -- Lists are filtered by it.
  amount_key          bigint generated always as (quittance_amount_key(currency, initial_total_minor)) stored,
  created_at          timestamptz not null,
  updated_at          timestamptz not null,
  constraint orders_void check ((void_mode is null) = (void_due_at is null))
) with (fillfactor = 45);
create unique index orders_reference_number on orders (business_id, reference_number);
create index orders_newest on orders (business_id, created_at, id);
create index orders_customer on orders (business_id, customer_uuid, created_at, id) where customer_uuid is not null;
create index orders_expiring on orders (business_id, expires_at) where expires_at is not null;
create index orders_voiding on orders (business_id, void_due_at) where void_due_at is not null;
create index orders_amount on orders (business_id, amount_key, created_at, id);
create index orders_closed on orders (business_id, closed_state, created_at, id) where closed_state is not null;
-- The last of the indexes: while the table is new all of them look the same to the planner, and it takes the youngest.
alter table orders add primary key (business_id, id);
select quittance_tenant_table('orders');

-- Every movement of money, tried or done. Changed only under the lock of its order. Room on the pages as for orders.
create table transactions (
  business_id            text collate "C" not null,
  -- Also our key of it at the acquirer.
  id                     text collate "C" not null,
  order_id               text collate "C" not null,
  type                   text collate "C" not null check (type in ('Sales', 'Authorization', 'Refund', 'Capture')),
  state                  text collate "C" not null
                         check (state in ('initiated', 'pending', 'requires_action', 'authorized', 'succeeded', 'failed',
                                          'voided', 'expired', 'unknown')),
  -- The state where it is not one that nearly all transactions pass through. Lists are filtered by it.
  notable_state          text collate "C"
                         generated always as (case when state not in ('initiated', 'succeeded') then state end) stored,
  currency               text collate "C" not null,
  -- Negative for a Refund, so that what was paid is the plain sum.
  amount_minor           numeric(30,0) not null,
  amount_key             bigint generated always as (quittance_amount_key(currency, amount_minor)) stored,
  -- The caller's own.
  reference_id           text collate "C",
  -- The transaction that is refunded or captured.
  original_id            text collate "C",
  payment_method         text collate "C" not null
                         check (payment_method in ('payment_token', 'credit_card', 'wallet_a_pay', 'wallet_b')),
  token                  text collate "C",
  -- What may be shown of the card or wallet.
  instrument             json not null,
  last_4                 text collate "C" generated always as (instrument->>'last4') stored,
  note                   text,
  acquirer_name          text not null,
  merchant_id            text not null,
  -- The account that it was sent to, and the transaction that was tried at another account before it.
  acquirer_account_id    text collate "C" not null,
  fallback_of            text collate "C",
  -- What the acquirer said.
  answer                 json not null,
  decline_code           text collate "C" generated always as (
                           case when state = 'failed' then coalesce(
                             answer->>'declineCode', nullif(answer->>'responseCode', ''), answer->>'failure')
                           end) stored,
  -- By these, notices and settlement reports of real acquirers name a payment. Columns, as `last_4` and `decline_code` are, because
  -- row-level security keeps an index on a function of `answer` from being used (`->>` is not leakproof).
  gateway_transaction_id text collate "C"
                         generated always as (case when acquirer_account_id <> 'simulator' then answer->>'gatewayTransactionId' end) stored,
  rrn                    text collate "C"
                         generated always as (case when acquirer_account_id <> 'simulator' then answer->>'rrn' end) stored,
  -- What the payer has to do, while the state is requires_action.
  next_action            json,
  -- The key of a void that is under way or was done.
  void_key               text collate "C",
  void_pending           boolean not null default false,
  receipt_number         bigint not null,
  succeeded_at           timestamptz,
  -- The business's cut-off after it succeeded; only Sales and Capture settle.
  settles_at             timestamptz,
  -- When what is left of an authorization lapses.
  expires_at             timestamptz,
  created_at             timestamptz not null,
  updated_at             timestamptz not null,
  primary key (business_id, id),
  foreign key (business_id, order_id) references orders (business_id, id),
  constraint transactions_sign check ((type = 'Refund' and amount_minor < 0) or (type <> 'Refund' and amount_minor > 0)),
  constraint transactions_original check ((type in ('Refund', 'Capture')) = (original_id is not null))
) with (fillfactor = 45);
create index transactions_order on transactions (business_id, order_id);
create unique index transactions_reference_id on transactions (business_id, reference_id) where reference_id is not null;
create index transactions_expiring on transactions (business_id, expires_at) where expires_at is not null;
create index transactions_gateway_id on transactions (business_id, acquirer_account_id, gateway_transaction_id)
  where gateway_transaction_id is not null;
create index transactions_rrn on transactions (business_id, acquirer_account_id, rrn) where rrn is not null;
create index transactions_movements on transactions (business_id, acquirer_account_id, succeeded_at, id)
  where acquirer_account_id <> 'simulator' and succeeded_at is not null;
create index transactions_newest on transactions (business_id, created_at, id);
create index transactions_amount on transactions (business_id, amount_key, created_at, id);
create index transactions_last_4 on transactions (business_id, last_4, created_at, id) where last_4 is not null;
create index transactions_notable on transactions (business_id, notable_state, created_at, id)
  where notable_state is not null;
create index transactions_declined on transactions (business_id, decline_code, created_at, id) where decline_code is not null;
create index transactions_of_type on transactions (business_id, type, created_at, id) where type <> 'Sales';
create index transactions_account on transactions (business_id, acquirer_account_id, created_at, id)
  where acquirer_account_id <> 'simulator';
select quittance_tenant_table('transactions');

-- What is under way at an acquirer. The row is committed before the call and goes with the outcome, so after a crash it says what to
-- ask about. A table of its own, so that finding what is due costs the transactions no index.
create table acquirer_operations (
  business_id        text collate "C" not null,
  -- The transaction's id, or a void's own key.
  key                text collate "C" not null,
  kind               text collate "C" not null check (kind in ('sale', 'authorization', 'capture', 'refund', 'void')),
  order_id           text collate "C" not null,
  transaction_id     text collate "C" not null,
  -- `queued`: not sent yet. `sent`: no response yet. `unknown`: there was none. `pending`: the acquirer works on it.
  status             text collate "C" not null check (status in ('queued', 'sent', 'unknown', 'pending')),
  payer_present      boolean not null,
  -- Inquiries without an outcome.
  inquiries          integer not null default 0,
  -- The Idempotency-Key and the request whose reply is not stored yet.
  idempotency_id     text collate "C",
  request_id         text collate "C",
  started_at         timestamptz not null,
  -- When the resolver inquires, on the business's clock.
  due_at             timestamptz not null,
  -- On the real clock. A sender whose lease was taken over after its end records nothing.
  leased_until       timestamptz,
  lease_id           text collate "C",
  -- The acquirer's own ids of the operation, committed before money can move, and of the transaction that it changes.
  reference          text collate "C",
  original_reference text collate "C",
  -- The real time of the first call: acquirers forget idempotency keys after a day or a week.
  sent_at            timestamptz,
  -- Accounts that a declined payment is tried at next.
  fallback_accounts  json not null default '[]',
  -- What the acquirer gave the payer for us, encrypted. A request with it may be lost and is sent again, so it is kept until the
  -- outcome is known.
  sealed_returned    text,
  primary key (business_id, key)
);
create index acquirer_operations_due on acquirer_operations (business_id, due_at);
create index acquirer_operations_by_reference on acquirer_operations (business_id, reference) where reference is not null;
select quittance_tenant_table('acquirer_operations');

-- The next `receipt_id`. It counts over all businesses, so that a number names one transaction of the whole service. Processes fetch
-- numbers in blocks.
create table receipt_numbers (
  only_row    boolean primary key default true check (only_row),
  next_number bigint not null
);
select quittance_shared_table('receipt_numbers', 'coordinator');
insert into receipt_numbers (next_number) values (100000);

-- How many payments of all tenants have an outcome that nobody knows, for /metrics. Row-level security does not bind the owner, who
-- tells a number only. It reads the whole table, which holds what is under way; an index would be written by every payment.
create function quittance_open_outcomes() returns bigint
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return (select count(*) from acquirer_operations where status = 'unknown');
end $$;
revoke all on function quittance_open_outcomes() from public;
grant execute on function quittance_open_outcomes() to quittance_service;

-- Up Migration

-- Our number of a transaction (`receipt_id`). A sequence takes no lock that lasts until commit, as a counter row of each
-- business would: every payment of a business would wait for the disk write of the one before it. It counts over all
-- businesses, so a business's numbers increase and have gaps.
create sequence payment_receipts start 100000;
grant usage on sequence payment_receipts to quittance_service;

-- What is to be paid. `paid_total_minor` and `reserved_minor` are sums over the order's transactions, kept here so that a
-- payment is decided by one locked row. `id` is the interface's `number`.
create table orders (
  business_id         text collate "C" not null,
  id                  text collate "C" not null,
  source              text collate "C" not null check (source in ('api', 'recurring', 'payment_link')),
  type                text collate "C" not null check (type in ('one_off', 'recurring')),
  reference_number    text collate "C" not null,
  currency            text collate "C" not null,
  due_date            date,
  initial_total_minor numeric(30,0) not null check (initial_total_minor >= 0),
  initial_tips_minor  numeric(30,0) not null check (initial_tips_minor >= 0),
  paid_total_minor    numeric(30,0) not null default 0,
  -- Initiated, pending, waiting for the payer, unknown, or authorized and not yet captured.
  reserved_minor      numeric(30,0) not null default 0 check (reserved_minor >= 0),
  state               text collate "C" not null
                      check (state in ('open', 'completed', 'refunded', 'voided', 'expired')),
  customer_uuid       text collate "C",
  return_url          text,
  notify_url          text,
  timeout_timer       text,
  timeout_seconds     integer,
  timeout_url         text,
  -- When an unpaid order runs out of time (the business's clock); null when it cannot any more.
  expires_at          timestamptz,
  -- The lines never change after the order is made, so they are read and written with it.
  line_items          json,
  -- A void that is under way: how, whose answer it owes, and when it is taken up again.
  void_mode           text collate "C" check (void_mode in ('merchant', 'grace')),
  void_idempotency_id text collate "C",
  void_request_id     text collate "C",
  void_due_at         timestamptz,
  created_at          timestamptz not null,
  updated_at          timestamptz not null,
  check ((void_mode is null) = (void_due_at is null))
)
-- Room on the page for the two updates of every payment: no indexed column changes in them, so no index is touched.
with (fillfactor = 70);
create unique index orders_reference_number on orders (business_id, reference_number);
-- Lists: newest first, ties by id.
create index orders_newest on orders (business_id, created_at, id);
create index orders_customer on orders (business_id, customer_uuid, created_at, id) where customer_uuid is not null;
create index orders_expiring on orders (business_id, expires_at) where expires_at is not null;
create index orders_voiding on orders (business_id, void_due_at) where void_due_at is not null;
-- The last of the indexes: while the table is new all of them look the same to the planner, and it takes the youngest.
alter table orders add primary key (business_id, id);
select quittance_tenant_table('orders');

-- Every movement of money, tried or done. Changed only under the lock of its order.
create table transactions (
  business_id         text collate "C" not null,
  -- Also the key under which the acquirer knows it.
  id                  text collate "C" not null,
  order_id            text collate "C" not null,
  type                text collate "C" not null check (type in ('Sales', 'Authorization', 'Refund', 'Capture')),
  state               text collate "C" not null
                      check (state in ('initiated', 'pending', 'requires_action', 'authorized', 'succeeded', 'failed',
                                       'voided', 'expired', 'unknown')),
  currency            text collate "C" not null,
  -- Negative for a Refund, so that what was paid is the plain sum.
  amount_minor        numeric(30,0) not null,
  reference_id        text collate "C",
  original_id         text collate "C",
  payment_method      text collate "C" not null
                      check (payment_method in ('payment_token', 'credit_card', 'wallet_a_pay', 'wallet_b')),
  token               text collate "C",
  -- What may be shown of the card or wallet.
  instrument          json not null,
  note                text,
  acquirer_name       text not null,
  merchant_id         text not null,
  -- What the acquirer said.
  answer              json not null,
  -- What the payer has to do, while the state is requires_action.
  next_action         json,
  -- The key of a void that is under way or was done.
  void_key            text collate "C",
  void_pending        boolean not null default false,
  receipt_number      bigint not null default nextval('payment_receipts'),
  succeeded_at        timestamptz,
  -- The business's cut-off after it succeeded; only Sales and Capture settle.
  settles_at          timestamptz,
  -- When what is left of an authorization lapses.
  expires_at          timestamptz,
  created_at          timestamptz not null,
  updated_at          timestamptz not null,
  primary key (business_id, id),
  foreign key (business_id, order_id) references orders (business_id, id),
  check ((type = 'Refund' and amount_minor < 0) or (type <> 'Refund' and amount_minor > 0)),
  check ((type in ('Refund', 'Capture')) = (original_id is not null))
)
with (fillfactor = 80);
create index transactions_order on transactions (business_id, order_id);
create unique index transactions_reference_id on transactions (business_id, reference_id) where reference_id is not null;
create index transactions_expiring on transactions (business_id, expires_at) where expires_at is not null;
select quittance_tenant_table('transactions');

-- What is under way at an acquirer: the row commits before the call, and goes with the outcome. So after a crash it says
-- what to ask about. A table of its own, so that finding what is due costs the transactions no index.
create table acquirer_operations (
  business_id    text collate "C" not null,
  -- The transaction's id, or a void's own key.
  key            text collate "C" not null,
  kind           text collate "C" not null check (kind in ('sale', 'authorization', 'capture', 'refund', 'void')),
  order_id       text collate "C" not null,
  transaction_id text collate "C" not null,
  -- `queued`: not sent yet. `sent`: no answer yet. `unknown`: there was none. `pending`: the acquirer is at it.
  status         text collate "C" not null check (status in ('queued', 'sent', 'unknown', 'pending')),
  payer_present  boolean not null,
  -- How often the acquirer was asked in vain.
  inquiries      integer not null default 0,
  -- The request whose answer the outcome is, while it is still owed.
  idempotency_id text collate "C",
  request_id     text collate "C",
  started_at     timestamptz not null,
  -- When it is taken up by the resolver, on the business's clock; and until when someone is at it, on the real one.
  due_at         timestamptz not null,
  leased_until   timestamptz,
  primary key (business_id, key)
);
create index acquirer_operations_due on acquirer_operations (business_id, due_at);
select quittance_tenant_table('acquirer_operations');

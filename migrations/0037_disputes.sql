-- Up Migration

-- Notices and settlement reports name a payment by the acquirer's ids. They are columns, because row-level security keeps an
-- index on a function of `answer` from being used (`->>` is not leakproof). Only transactions of real acquirers are looked up
-- that way: for the simulator's they are null and not indexed. The last index reads an account's movements in the order in
-- which they succeeded.
alter table transactions
  add column gateway_transaction_id text collate "C"
    generated always as (case when acquirer_account_id <> 'simulator' then answer->>'gatewayTransactionId' end) stored,
  add column rrn text collate "C"
    generated always as (case when acquirer_account_id <> 'simulator' then answer->>'rrn' end) stored;
create index transactions_gateway_id on transactions (business_id, acquirer_account_id, gateway_transaction_id)
  where gateway_transaction_id is not null;
create index transactions_rrn on transactions (business_id, acquirer_account_id, rrn) where rrn is not null;
create index transactions_movements on transactions (business_id, acquirer_account_id, succeeded_at, id)
  where acquirer_account_id <> 'simulator' and succeeded_at is not null;

-- A payer's claim against a payment, as its acquirer tells it. Times are on the real clock, where acquirers live.
create table disputes (
  business_id       text collate "C" not null,
  id                text collate "C" not null,
  account_id        text collate "C" not null,
  -- The acquirer's id of the dispute, and of the payment. The transaction is null while no payment of ours has that id.
  reference         text collate "C" not null,
  payment_reference text collate "C" not null,
  order_id          text collate "C",
  transaction_id    text collate "C",
  amount_minor      numeric(30,0) not null,
  currency          text collate "C" not null,
  reason            text collate "C" not null,
  state             text collate "C" not null
                    check (state in ('inquiry_needs_response', 'inquiry_under_review', 'inquiry_closed', 'needs_response',
                                     'under_review', 'won', 'lost')),
  respond_by        timestamptz,
  submitted_at      timestamptz,
  created_at        timestamptz not null,
  updated_at        timestamptz not null,
  -- Counts changes. An answer of the acquirer is recorded only if the row has not changed since the question.
  revision          integer not null default 1,
  primary key (business_id, id),
  foreign key (business_id, transaction_id) references transactions (business_id, id),
  check ((order_id is null) = (transaction_id is null))
);
create unique index disputes_reference on disputes (business_id, account_id, reference);
create index disputes_newest on disputes (business_id, created_at, id);
create index disputes_of_transaction on disputes (business_id, transaction_id) where transaction_id is not null;
select quittance_tenant_table('disputes');

-- Evidence that waits for its submission. A member is a text or a file.
create table dispute_evidence (
  business_id  text collate "C" not null,
  dispute_id   text collate "C" not null,
  name         text collate "C" not null,
  text         text,
  file_name    text,
  content_type text,
  content      bytea,
  primary key (business_id, dispute_id, name),
  foreign key (business_id, dispute_id) references disputes (business_id, id),
  check ((text is null) <> (content is null)),
  check ((content is null) = (file_name is null) and (content is null) = (content_type is null))
);
select quittance_tenant_table('dispute_evidence');

-- A submission whose outcome is not recorded yet, as acquirer_operations are for payments.
create table dispute_submissions (
  business_id    text collate "C" not null,
  dispute_id     text collate "C" not null,
  -- Our idempotency key at the acquirer.
  key            text collate "C" not null,
  status         text collate "C" not null check (status in ('sent', 'unknown')),
  -- The revision of the dispute that was read before the acquirer was called.
  revision       integer not null,
  inquiries      integer not null default 0,
  idempotency_id text collate "C",
  request_id     text collate "C",
  due_at         timestamptz not null,
  leased_until   timestamptz,
  lease_id       text collate "C",
  primary key (business_id, dispute_id),
  foreign key (business_id, dispute_id) references disputes (business_id, id)
);
create index dispute_submissions_due on dispute_submissions (business_id, due_at);
select quittance_tenant_table('dispute_submissions');

-- Disputes to ask the acquirer about, on the real clock.
create table dispute_refreshes (
  business_id text collate "C" not null,
  account_id  text collate "C" not null,
  reference   text collate "C" not null,
  attempts    integer not null default 0,
  -- Moved by every claim and every notice, so that it also names the claim.
  due_at      timestamptz not null,
  primary key (business_id, account_id, reference)
);
create index dispute_refreshes_due on dispute_refreshes (business_id, due_at);
select quittance_tenant_table('dispute_refreshes');

-- The daily search of an account for disputes whose notice was missed. `cursor` is where a search goes on.
create table dispute_scans (
  business_id  text collate "C" not null,
  account_id   text collate "C" not null,
  opened_after timestamptz,
  cursor       text,
  due_at       timestamptz not null,
  primary key (business_id, account_id)
);
create index dispute_scans_due on dispute_scans (business_id, due_at);
select quittance_tenant_table('dispute_scans');

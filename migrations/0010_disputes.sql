-- Up Migration

-- A payer's claim against a payment, as the acquirer tells it. Times are on the real clock, as the acquirer's are.
create table disputes (
  business_id       text collate "C" not null,
  id                text collate "C" not null,
  account_id        text collate "C" not null,
  -- The acquirer's ids of the dispute and of the payment. The transaction is null while no payment of ours has that id.
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
  -- Counts changes. What the acquirer answers is recorded only if the row has not changed since we asked.
  revision          integer not null default 1,
  primary key (business_id, id),
  foreign key (business_id, transaction_id) references transactions (business_id, id),
  constraint disputes_payment check ((order_id is null) = (transaction_id is null))
);
create unique index disputes_reference on disputes (business_id, account_id, reference);
create index disputes_newest on disputes (business_id, created_at, id);
create index disputes_of_transaction on disputes (business_id, transaction_id) where transaction_id is not null;
create index disputes_by_reference on disputes (business_id, reference);
create index disputes_of_order on disputes (business_id, order_id) where order_id is not null;
-- What needs a person, the oldest first.
create index disputes_due on disputes (business_id, respond_by)
  where submitted_at is null and state in ('needs_response', 'inquiry_needs_response');
-- The list of disputes that need a response is short, and that of all disputes is not.
create index disputes_state on disputes (business_id, state, created_at, id);
select quittance_tenant_table('disputes');

-- Evidence that waits for its submission: each member is a text or a file.
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
  constraint dispute_evidence_text_or_file check ((text is null) <> (content is null)),
  constraint dispute_evidence_file check ((content is null) = (file_name is null) and (content is null) = (content_type is null))
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

-- Disputes that we have to ask the acquirer about, on the real clock.
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

-- The daily search of an account for disputes whose notice was missed.
create table dispute_scans (
  business_id  text collate "C" not null,
  account_id   text collate "C" not null,
  opened_after timestamptz,
  -- Where a search goes on.
  cursor       text,
  due_at       timestamptz not null,
  primary key (business_id, account_id)
);
create index dispute_scans_due on dispute_scans (business_id, due_at);
select quittance_tenant_table('dispute_scans');

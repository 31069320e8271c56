-- Up Migration

-- The numbers of invoices and credit notes. Whoever issues one updates this row and holds it until its transaction ends, so
-- that numbers have no gap and rise with created_at.
create table invoice_sequences (
  business_id     text collate "C" not null,
  type            text collate "C" not null check (type in ('credit_note', 'invoice')),
  legal_entity_id text collate "C" not null,
  series          text collate "C" not null,
  -- The local year; 0 where the format of the numbers has none.
  year            integer not null,
  first_number    bigint not null,
  next_number     bigint not null,
  last_issued_at  timestamptz not null,
  primary key (business_id, type, legal_entity_id, series, year),
  constraint invoice_sequences_order check (next_number >= first_number)
);
select quittance_tenant_table('invoice_sequences');

-- Invoices and credit notes: legal documents, of which only the state and the amounts that are due and credited change.
create table invoices (
  business_id       text collate "C" not null,
  id                text collate "C" not null,
  type              text collate "C" not null check (type in ('credit_note', 'invoice')),
  legal_entity_id   text collate "C" not null,
  series            text collate "C" not null,
  year              integer not null,
  -- What the number was made from.
  sequence          bigint not null,
  number            text collate "C" not null,
  state             text collate "C" not null check (state in ('open', 'paid', 'credited', 'uncollectible')),
  order_id          text collate "C" not null,
  plan_id           text collate "C",
  customer_uuid     text collate "C" not null,
  -- What a credit note lowers.
  invoice_id        text collate "C",
  currency          text collate "C" not null,
  issue_date        date not null,
  due_date          date not null,
  -- When an invoice that is sent becomes overdue; null for others, and once it is or needs no longer be.
  overdue_at        timestamptz,
  net_minor         numeric(30,0) not null,
  tax_minor         numeric(30,0) not null,
  total_minor       numeric(30,0) not null check (total_minor >= 0),
  -- What credit and balances had paid at the issue.
  prepaid_minor     numeric(30,0) not null check (prepaid_minor >= 0),
  due_minor         numeric(30,0) not null check (due_minor >= 0),
  credited_minor    numeric(30,0) not null default 0 check (credited_minor >= 0),
  -- ISO 11649.
  payment_reference text collate "C" not null,
  -- Why a credit note was issued: {cause, reason, unsettled_minor, refund_ids}.
  cause             jsonb,
  -- Seller, buyer, lines, taxes and notes as they were.
  copy              jsonb not null,
  reference_id      text collate "C",
  metadata          jsonb,
  created_at        timestamptz not null,
  updated_at        timestamptz not null,
  primary key (business_id, id),
  constraint invoices_sums check (net_minor + tax_minor = total_minor),
  constraint invoices_credited check (credited_minor <= total_minor),
  constraint invoices_note check (type = 'credit_note' or invoice_id is null)
);
create unique index invoices_sequence on invoices (business_id, legal_entity_id, type, series, year, sequence);
create unique index invoices_reference on invoices (business_id, reference_id);
create index invoices_newest on invoices (business_id, created_at, id);
create index invoices_customer on invoices (business_id, customer_uuid, created_at, id);
create index invoices_order on invoices (business_id, order_id);
create index invoices_number on invoices (business_id, number);
create index invoices_corrected on invoices (business_id, invoice_id) where invoice_id is not null;
create index invoices_overdue on invoices (business_id, overdue_at) where overdue_at is not null;
select quittance_tenant_table('invoices');
alter table invoices add foreign key (business_id, invoice_id) references invoices (business_id, id);

-- The invoice of the order; null without a legal entity.
alter table orders add column invoice_id text collate "C";
alter table orders add column invoice_number text;

-- Up Migration

-- Invoices that are not issued: no number, no order, no date and no event. They stand apart from issued ones, so that nothing that
-- reads those can count one.
create table invoice_drafts (
  business_id     text collate "C" not null,
  -- The invoice keeps it when it is issued.
  id              text collate "C" not null,
  legal_entity_id text collate "C" not null,
  customer_uuid   text collate "C" not null,
  currency        text collate "C" not null,
  net_minor       numeric(30,0) not null,
  tax_minor       numeric(30,0) not null,
  total_minor     numeric(30,0) not null check (total_minor >= 0),
  -- Lists are sorted by it, as by invoices.total_key.
  total_key       bigint not null generated always as (
    least(total_minor * quittance_amount_key(currency, 1), 9223372036854775807)::bigint) stored,
  -- What was asked for, of which the issue makes the invoice.
  request         jsonb not null,
  -- Seller, buyer, lines, taxes and notes at the time of the last change.
  copy            jsonb not null,
  reference_id    text collate "C",
  metadata        jsonb,
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  primary key (business_id, id),
  constraint invoice_drafts_sums check (net_minor + tax_minor = total_minor)
);
create unique index invoice_drafts_reference on invoice_drafts (business_id, reference_id);
create index invoice_drafts_newest on invoice_drafts (business_id, created_at, id);
create index invoice_drafts_customer on invoice_drafts (business_id, customer_uuid, created_at, id);
select quittance_tenant_table('invoice_drafts');

comment on column invoice_drafts.legal_entity_id is 'The seller.';
comment on column invoice_drafts.customer_uuid is 'The buyer.';
comment on column invoice_drafts.currency is 'ISO 4217. All amounts are in its minor units.';
comment on column invoice_drafts.net_minor is 'Without tax.';
comment on column invoice_drafts.tax_minor is 'At the rates of the last change; the issue computes it anew.';
comment on column invoice_drafts.total_minor is 'net_minor and tax_minor together.';
comment on column invoice_drafts.reference_id is 'The caller''s own id, unique among drafts and documents.';
comment on column invoice_drafts.metadata is 'Keys and values of the caller''s own; null instead of an empty object.';
comment on column invoice_drafts.created_at is 'On the business''s clock.';
comment on column invoice_drafts.updated_at is 'On the business''s clock.';

-- A corrected invoice and the one that was issued in its place, on the same order.
alter table invoices add column replaces text collate "C";
alter table invoices add column replaced_by text collate "C";

-- Ten-thousandths of the currency's unit, so that amounts of all currencies stand in one order. Row-level security keeps an index from
-- serving pages by an operator that is not leakproof, which those of numeric are not.
alter table invoices add column total_key bigint not null generated always as (
  least(total_minor * quittance_amount_key(currency, 1), 9223372036854775807)::bigint) stored;
alter table invoices add column due_key bigint not null generated always as (
  least(due_minor * quittance_amount_key(currency, 1), 9223372036854775807)::bigint) stored;

comment on column invoices.replaces is 'The invoice that this one corrects as a whole; null for others.';
comment on column invoices.replaced_by is 'The invoice that corrects this one as a whole; null for others.';
comment on column invoices.total_key is 'total_minor in ten-thousandths of the currency''s unit. Lists are sorted by it.';
comment on column invoices.due_key is 'due_minor in ten-thousandths of the currency''s unit. Lists are sorted by it.';

create index invoices_issue_date on invoices (business_id, issue_date, id);
create index invoices_due_date on invoices (business_id, due_date, id);
create index invoices_total on invoices (business_id, total_key, id);
create index invoices_due on invoices (business_id, due_key, id);

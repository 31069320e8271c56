-- Up Migration
-- Needs programs from 0034
-- An older program does not know transactions of a bank.

alter table transactions drop constraint transactions_payment_method_check;
alter table transactions add constraint transactions_payment_method_check
  check (payment_method in ('payment_token', 'credit_card', 'wallet_a_pay', 'wallet_b', 'bank_transfer')) not valid;

-- The number as remittances are compared with it: small, without blanks and hyphens, after the count of what is left of it.
alter table invoices add column number_key text collate "C" generated always as (
  case when type = 'invoice' then
    lpad(char_length(translate(number, U&' \0009\000A\000D\00A0\202F-\2010\2011\2012\2013\2014\2212', ''))::text, 3, '0')
    || lower(translate(number, U&' \0009\000A\000D\00A0\202F-\2010\2011\2012\2013\2014\2212', '') collate "und-x-icu")
  end) stored;
create index invoices_number_key on invoices (business_id, number_key) where number_key is not null;
create index invoices_payment_reference on invoices (business_id, payment_reference) where type = 'invoice';

-- Statements of banks, and what each brought that no statement before it had. The counts grow as its entries are stored.
create table bank_statements (
  business_id  text collate "C" not null,
  id           text collate "C" not null,
  format       text collate "C" not null check (format in ('camt053', 'csv')),
  entries      integer not null check (entries >= 0),
  new_entries  integer not null default 0,
  matched      integer not null default 0,
  unmatched    integer not null default 0,
  reference_id text collate "C",
  metadata     jsonb,
  created_at   timestamptz not null,
  primary key (business_id, id),
  constraint bank_statements_counts check (new_entries <= entries and matched + unmatched = new_entries)
);
create unique index bank_statements_reference on bank_statements (business_id, reference_id);
create index bank_statements_newest on bank_statements (business_id, created_at, id);
select quittance_tenant_table('bank_statements');

-- Booked credits of bank statements, and the debits that return one. Entries are kept, because the identity of one that comes
-- again says so.
create table bank_entries (
  business_id    text collate "C" not null,
  id             text collate "C" not null,
  kind           text collate "C" not null check (kind in ('credit', 'return')),
  -- Of credits only.
  state          text collate "C" check (state in ('matched', 'unmatched', 'suggested', 'ignored')),
  -- The same in every statement that has the entry.
  identity       text collate "C" not null,
  statement_id   text collate "C" not null,
  account        text,
  booking_date   date not null,
  currency       text collate "C" not null,
  amount_minor   numeric(30,0) not null check (amount_minor > 0),
  debtor_name    text,
  debtor_iban    text collate "C",
  bank_reference text,
  end_to_end_id  text collate "C",
  remittance     text not null,
  -- Invoices that it may pay: [{id, number}].
  suggestions    jsonb,
  -- The return that took a credit back.
  returned_by    text collate "C",
  created_at     timestamptz not null,
  updated_at     timestamptz not null,
  primary key (business_id, id),
  constraint bank_entries_state check ((kind = 'credit') = (state is not null)),
  constraint bank_entries_suggestions check (coalesce(state = 'suggested', false) = (suggestions is not null))
);
create unique index bank_entries_identity on bank_entries (business_id, identity);
create index bank_entries_newest on bank_entries (business_id, created_at, id) where kind = 'credit';
create index bank_entries_to_do on bank_entries (business_id, created_at, id) where state in ('unmatched', 'suggested');
create index bank_entries_end_to_end on bank_entries (business_id, end_to_end_id) where end_to_end_id is not null;
create index bank_entries_payer on bank_entries (business_id, debtor_iban, created_at) where state = 'matched' and debtor_iban is not null;
create index bank_entries_statement on bank_entries (business_id, statement_id);
select quittance_tenant_table('bank_entries');

-- What entries paid: a transaction of the invoice's order each.
create table bank_entry_matches (
  business_id    text collate "C" not null,
  transaction_id text collate "C" not null,
  entry_id       text collate "C" not null,
  invoice_id     text collate "C" not null,
  invoice_number text not null,
  order_id       text collate "C" not null,
  customer_uuid  text collate "C" not null,
  amount_minor   numeric(30,0) not null check (amount_minor > 0),
  created_at     timestamptz not null,
  -- When the entry was unmatched or returned; the transaction is then voided.
  undone_at      timestamptz,
  primary key (business_id, transaction_id)
);
create index bank_entry_matches_entry on bank_entry_matches (business_id, entry_id);
create index bank_entry_matches_invoice on bank_entry_matches (business_id, invoice_id);
create index bank_entry_matches_customer on bank_entry_matches (business_id, customer_uuid);
select quittance_tenant_table('bank_entry_matches');
alter table bank_entry_matches add foreign key (business_id, entry_id) references bank_entries (business_id, id);

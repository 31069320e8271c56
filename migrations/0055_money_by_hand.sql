-- Up Migration
-- Needs programs from 0053
-- An older program does not know payments by hand, and would charge again what was written off.

alter table transactions drop constraint transactions_payment_method_check;
alter table transactions add constraint transactions_payment_method_check
  check (payment_method in ('payment_token', 'credit_card', 'wallet_a_pay', 'wallet_b', 'bank_transfer', 'cash', 'cheque', 'other')) not valid;

-- Null is zero, so that the rows of most orders stay as short as they are.
alter table orders add column written_off_minor numeric(30,0);
alter table orders add column moved_to_credit_minor numeric(30,0);
alter table orders add column noted_refunds_minor numeric(30,0);
alter table orders add constraint orders_owed_minor_check
  check (written_off_minor >= 0 and moved_to_credit_minor >= 0 and noted_refunds_minor >= 0) not valid;
comment on column orders.written_off_minor is 'What was given up of it, without a credit note; null: nothing.';
comment on column orders.moved_to_credit_minor is 'What of an overpayment became credit of a plan; null: nothing.';
comment on column orders.noted_refunds_minor is 'Refunds for which its invoice has credit notes; null: none. With it, paid_total_minor shows what is overpaid.';

alter table recurring_credits add column moved_from text collate "C";
comment on column recurring_credits.moved_from is 'The order whose overpayment it was.';

alter table billing_settings add column write_off_up_to jsonb;
comment on column billing_settings.write_off_up_to is 'Up to which amount due a match writes off the rest, in minor units by currency; null: nothing.';

-- What was given up of invoices: bank charges, cents that a transfer lacks, bad debts. The sum of an order's stands on the order.
create table write_offs (
  business_id    text collate "C" not null,
  id             text collate "C" not null,
  order_id       text collate "C" not null,
  invoice_id     text collate "C" not null,
  customer_uuid  text collate "C" not null,
  currency       text collate "C" not null,
  amount_minor   numeric(30,0) not null check (amount_minor > 0),
  reason         text not null,
  -- The transfer at whose match it was written off; undone with it.
  transaction_id text collate "C",
  created_at     timestamptz not null,
  undone_at      timestamptz,
  primary key (business_id, id)
);
create index write_offs_order on write_offs (business_id, order_id);
create index write_offs_customer on write_offs (business_id, customer_uuid);
select quittance_tenant_table('write_offs');
comment on column write_offs.invoice_id is 'What was given up.';
comment on column write_offs.order_id is 'The order of the invoice.';
comment on column write_offs.customer_uuid is 'The buyer of the invoice.';
comment on column write_offs.amount_minor is 'In minor units of `currency`.';
comment on column write_offs.reason is 'As the caller gave it; '''' for one at a match.';
comment on column write_offs.created_at is 'On the business''s clock.';
comment on column write_offs.undone_at is 'On the business''s clock.';

-- Up Migration

-- How far the daily comparison of each account's books with our transactions has come, so that it goes on there after a crash.
create table reconciliation_runs (
  business_id     text collate "C" not null,
  account_id      text collate "C" not null,
  -- On the real clock. Every step moves it, so that it also names the worker that does the step.
  due_at          timestamptz not null,
  -- Null between two runs.
  phase           text collate "C"
                  check (phase in ('payouts', 'lines', 'entries', 'rechecks', 'movements', 'lost_disputes')),
  -- Where the next page of this phase begins.
  cursor          text,
  -- Lines from before the account was connected are not ours.
  connected_at    timestamptz not null,
  started_at      timestamptz,
  -- The start of the last run that was completed.
  completed_run   timestamptz,
  attempts        integer not null default 0,
  problem         text,
  -- Our transactions up to here, on the business's clock, have been looked for in the books; this run ends at `movements_until`.
  movements_at    timestamptz,
  movements_id    text collate "C",
  movements_until timestamptz,
  primary key (business_id, account_id)
);
create index reconciliation_runs_due on reconciliation_runs (business_id, due_at);
select quittance_tenant_table('reconciliation_runs');

-- The lines that one payout pays, or those of a day (UTC) that no payout is known to pay.
create table reconciliations (
  business_id       text collate "C" not null,
  id                text collate "C" not null,
  account_id        text collate "C" not null,
  day               date,
  payout_id         text collate "C",
  payout_currency   text collate "C",
  payout_minor      numeric(30,0),
  payout_state      text collate "C" check (payout_state in ('pending', 'paid', 'failed', 'canceled')),
  payout_arrives_at timestamptz,
  -- `unavailable`: the acquirer does not say which lines the payout pays, so they stay with their days.
  lines             text collate "C" check (lines in ('pending', 'complete', 'unavailable')),
  created_at        timestamptz not null,
  primary key (business_id, id),
  constraint reconciliations_day_or_payout check ((day is null) = (payout_id is not null)),
  constraint reconciliations_lines_of_payout check ((payout_id is null) = (lines is null))
);
create unique index reconciliations_payout on reconciliations (business_id, account_id, payout_id)
  where payout_id is not null;
create unique index reconciliations_day on reconciliations (business_id, account_id, day) where day is not null;
create index reconciliations_newest on reconciliations (business_id, created_at, id);
create index reconciliations_pending on reconciliations (business_id, account_id, created_at, id) where lines = 'pending';
select quittance_tenant_table('reconciliations');

-- A line of the acquirer's books, or a transaction or dispute of ours that is missing there.
create table reconciliation_entries (
  business_id       text collate "C" not null,
  account_id        text collate "C" not null,
  -- The acquirer's id of the line, or our own.
  id                text collate "C" not null,
  reconciliation_id text collate "C" not null,
  result            text collate "C" not null
                    check (result in ('matched', 'missing_here', 'missing_there', 'different_amount', 'fee', 'other')),
  type              text collate "C" not null
                    check (type in ('payment', 'refund', 'dispute', 'fee', 'payout', 'other')),
  acquirer_type     text collate "C" not null,
  reference         text collate "C",
  currency          text collate "C" not null,
  gross_minor       numeric(30,0) not null,
  fee_minor         numeric(30,0) not null,
  net_minor         numeric(30,0) not null,
  paid_currency     text collate "C",
  paid_minor        numeric(30,0),
  transaction_id    text collate "C",
  order_id          text collate "C",
  dispute_id        text collate "C",
  -- Our amount, where it differs.
  expected_currency text collate "C",
  expected_minor    numeric(30,0),
  created_at        timestamptz not null,
  available_at      timestamptz,
  found_at          timestamptz not null,
  primary key (business_id, account_id, id),
  foreign key (business_id, reconciliation_id) references reconciliations (business_id, id)
) with (fillfactor = 80);
create index reconciliation_entries_newest on reconciliation_entries (business_id, reconciliation_id, created_at, id);
create index reconciliation_entries_transaction on reconciliation_entries (business_id, transaction_id)
  where transaction_id is not null;
create index reconciliation_entries_dispute on reconciliation_entries (business_id, dispute_id) where dispute_id is not null;
create index reconciliation_entries_open on reconciliation_entries (business_id, account_id, id)
  where result in ('missing_here', 'missing_there', 'different_amount');
select quittance_tenant_table('reconciliation_entries');

-- Sums over the entries of a reconciliation, kept with every change of an entry: a payout may pay 100,000 lines.
create table reconciliation_totals (
  business_id       text collate "C" not null,
  reconciliation_id text collate "C" not null,
  type              text collate "C" not null,
  result            text collate "C" not null,
  currency          text collate "C" not null,
  entries           integer not null,
  gross_minor       numeric(30,0) not null,
  fee_minor         numeric(30,0) not null,
  net_minor         numeric(30,0) not null,
  primary key (business_id, reconciliation_id, type, result, currency),
  foreign key (business_id, reconciliation_id) references reconciliations (business_id, id)
) with (fillfactor = 50);
select quittance_tenant_table('reconciliation_totals');

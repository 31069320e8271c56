-- Up Migration

-- What changed the totals of a day and is not counted yet. Written with the outcome, and deleted in the transaction that adds it to the
-- day: a cursor over events would miss those that commit late.
create table report_facts (
  business_id             text collate "C" not null,
  id                      text collate "C" not null,
  -- On the business's clock.
  day_at                  timestamptz not null,
  currency                text collate "C" not null,
  paid_minor              numeric(30,0) not null,
  refunded_minor          numeric(30,0) not null,
  orders_paid             integer not null,
  approved                integer not null,
  declined                integer not null,
  -- Of a declined payment: its code and amount.
  decline_code            text collate "C",
  declined_minor          numeric(30,0) not null,
  recurring_paid_minor    numeric(30,0) not null,
  dunning_recovered_minor numeric(30,0) not null,
  dunning_attempted_minor numeric(30,0) not null,
  -- On the real clock.
  queued_at               timestamptz not null default now(),
  primary key (business_id, id)
);
select quittance_tenant_table('report_facts');

-- The totals of each day in the business's time zone.
create table report_days (
  business_id             text collate "C" not null,
  currency                text collate "C" not null,
  day                     date not null,
  paid_minor              numeric(30,0) not null,
  refunded_minor          numeric(30,0) not null,
  orders_paid             bigint not null,
  approved                bigint not null,
  declined                bigint not null,
  recurring_paid_minor    numeric(30,0) not null,
  dunning_recovered_minor numeric(30,0) not null,
  dunning_attempted_minor numeric(30,0) not null,
  primary key (business_id, currency, day)
);
select quittance_tenant_table('report_days');

-- The declined payments of each day, by their code.
create table report_declines (
  business_id    text collate "C" not null,
  currency       text collate "C" not null,
  day            date not null,
  decline_code   text collate "C" not null,
  count          bigint not null,
  declined_minor numeric(30,0) not null,
  primary key (business_id, currency, day, decline_code)
);
select quittance_tenant_table('report_declines');

-- The last count of a business's plans. A request that shows it makes it due again.
create table report_plans (
  business_id text collate "C" primary key,
  totals      json,
  counted_at  timestamptz,
  due_at      timestamptz
);
create index report_plans_due on report_plans (business_id, due_at) where due_at is not null;
select quittance_tenant_table('report_plans');

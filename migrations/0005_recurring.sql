-- Up Migration

-- What plans sell. Never changed after it was made, so a plan refers to it.
create table recurring_items (
  business_id  text collate "C" not null,
  id           text collate "C" not null,
  label        text not null,
  price_minor  numeric(30,0) not null,
  currency     text collate "C" not null,
  reference_id text,
  description  text,
  created_at   timestamptz not null,
  primary key (business_id, id)
);
create index recurring_items_newest on recurring_items (business_id, created_at, id);
select quittance_tenant_table('recurring_items');

-- When a cycle bills. Never changed either.
create table recurring_billing_configs (
  business_id               text collate "C" not null,
  id                        text collate "C" not null,
  billing_interval          text collate "C" not null check (billing_interval in ('day', 'week', 'month', 'year')),
  interval_count            integer not null check (interval_count > 0),
  billing_type              text collate "C" not null check (billing_type in ('anniversary', 'calendar')),
  billing_month             smallint,
  billing_day_of_month      smallint,
  billing_proration_enabled boolean not null,
  description               text,
  -- Of a config that a plan named by an RFC 5545 rule: rules that mean the same share one config.
  rule_key                  text collate "C",
  created_at                timestamptz not null,
  primary key (business_id, id)
);
create unique index recurring_billing_configs_rule on recurring_billing_configs (business_id, rule_key);
create index recurring_billing_configs_newest on recurring_billing_configs (business_id, created_at, id);
select quittance_tenant_table('recurring_billing_configs');

-- A customer's plan. Its row's lock guards its cycles and orders too: whoever changes any of them holds it.
create table recurring_plans (
  business_id               text collate "C" not null,
  id                        text collate "C" not null,
  name                      text not null,
  reference_number          text collate "C",
  customer_uuid             text collate "C" not null,
  -- A copy of what never changes, so that lists can be filtered by it.
  customer_reference_number text collate "C" not null,
  default_collection_method text collate "C" not null,
  payment_retry_count       integer not null check (payment_retry_count between 1 and 100),
  payment_retry_day_period  integer not null check (payment_retry_day_period > 0),
  grace_period              integer check (grace_period >= 0),
  callback_url              text,
  redirect_url              text,
  timeout_seconds           integer,
  timeout_url               text,
  note                      text,
  description               text,
  currency                  text collate "C" not null,
  credit_minor              numeric(30,0) not null default 0 check (credit_minor >= 0),
  -- Local dates are counted in the business's zone; a copy, so that they stay what they were announced to be.
  time_zone                 text not null,
  local_time                text not null,
  start_at                  timestamptz not null,
  -- That of the current cycle.
  state                     text collate "C" not null,
  current_cycle             integer not null default 0,
  -- The suffix of the newest order's reference number.
  last_suffix               integer not null default 0,
  current_order_id          text collate "C",
  paused                    boolean not null default false,
  -- Attempts of an order were used up and it is not paid; `written_off`: it was voided then, so the plan stays so for ever.
  uncollectible             boolean not null default false,
  written_off               boolean not null default false,
  -- Since when nothing is billed; and the newest time that was so, whose periods are passed over.
  suspended_at              timestamptz,
  skip_from                 timestamptz,
  skip_until                timestamptz,
  cancel_at                 timestamptz,
  -- What the plan does next: a period or its end, an attempt or the void of an order. Null when nothing.
  due_at                    timestamptz,
  due_kind                  text collate "C" check (due_kind in ('timeline', 'attempt', 'void')),
  due_order_id              text collate "C",
  next_execute_at           timestamptz,
  created_at                timestamptz not null,
  updated_at                timestamptz not null,
  primary key (business_id, id),
  check ((due_at is null) = (due_kind is null)),
  check ((paused or uncollectible) = (suspended_at is not null))
);
create unique index recurring_plans_reference_number on recurring_plans (business_id, reference_number);
create index recurring_plans_newest on recurring_plans (business_id, created_at, id);
create index recurring_plans_customer on recurring_plans (business_id, customer_uuid);
-- The whole of due work: one look-up however many plans there are.
create index recurring_plans_due on recurring_plans (business_id, due_at) where due_at is not null;
select quittance_tenant_table('recurring_plans');

-- The phases of a plan, by position. Billing updates a row in place, so pages keep room for that.
create table recurring_cycles (
  business_id       text collate "C" not null,
  plan_id           text collate "C" not null,
  position          integer not null,
  id                text collate "C" not null,
  state             text collate "C" not null
                    check (state in ('upcoming', 'active', 'past_due', 'paused', 'uncollectible', 'completed', 'canceled')),
  -- How many orders the cycle makes; null: it runs for ever.
  billing_count     integer check (billing_count > 0),
  orders_created    integer not null default 0,
  billing_config_id text collate "C" not null,
  discount_type     text collate "C" check (discount_type in ('fixed_amount', 'percentage')),
  -- Minor units of a fixed amount; the exact percentage as text.
  discount_minor    numeric(30,0),
  discount_rate     text collate "C",
  description       text,
  -- Set when the cycle starts: with the config all its dates follow (kernel/calendar).
  start_at          timestamptz,
  start_date        date,
  anchor_day        smallint,
  next_period       integer not null default 0,
  end_at            timestamptz,
  created_at        timestamptz not null,
  updated_at        timestamptz not null,
  primary key (business_id, plan_id, position),
  foreign key (business_id, plan_id) references recurring_plans (business_id, id),
  foreign key (business_id, billing_config_id) references recurring_billing_configs (business_id, id),
  check (billing_count is null or orders_created <= billing_count)
) with (fillfactor = 80);
select quittance_tenant_table('recurring_cycles');

create table recurring_cycle_items (
  business_id    text collate "C" not null,
  plan_id        text collate "C" not null,
  cycle_position integer not null,
  position       integer not null,
  item_id        text collate "C" not null,
  quantity       bigint not null check (quantity > 0),
  primary key (business_id, plan_id, cycle_position, position),
  foreign key (business_id, plan_id, cycle_position) references recurring_cycles (business_id, plan_id, position),
  foreign key (business_id, item_id) references recurring_items (business_id, id)
);
select quittance_tenant_table('recurring_cycle_items');

-- How an order of a plan is collected; the order itself is in `orders`. No foreign key to it: it belongs to another
-- module and is written in the same transaction; `quittance verify` looks after it.
create table recurring_orders (
  business_id         text collate "C" not null,
  order_id            text collate "C" not null,
  plan_id             text collate "C" not null,
  cycle_position      integer not null,
  -- Of its reference number; per plan.
  suffix              integer not null,
  period_start        timestamptz not null,
  state               text collate "C" not null check (state in ('open', 'paid', 'voided')),
  used_up             boolean not null default false,
  attempts            integer not null default 0,
  -- The transaction of the attempt that is under way.
  attempt_transaction text collate "C",
  attempted_at        timestamptz,
  next_attempt_at     timestamptz,
  waiting             boolean not null default false,
  void_at             timestamptz,
  -- What it used of the plan's credit.
  credit_minor        numeric(30,0) not null default 0,
  created_at          timestamptz not null,
  primary key (business_id, order_id),
  check (state = 'open' or (attempt_transaction is null and next_attempt_at is null and void_at is null))
) with (fillfactor = 80);
-- What a plan still has to collect: few, however many orders it has made.
create index recurring_orders_open on recurring_orders (business_id, plan_id) where state = 'open';
select quittance_tenant_table('recurring_orders');

-- Tokens that must not be sent to the acquirer again: lost, stolen, closed, not permitted.
create table recurring_refused_tokens (
  business_id   text collate "C" not null,
  token         text collate "C" not null,
  response_code text collate "C" not null,
  message       text not null,
  refused_at    timestamptz not null,
  primary key (business_id, token)
);
select quittance_tenant_table('recurring_refused_tokens');

-- Every grant of credit to a plan, so that the balance can be checked against what orders used.
create table recurring_credits (
  business_id  text collate "C" not null,
  id           text collate "C" not null,
  plan_id      text collate "C" not null,
  amount_minor numeric(30,0) not null check (amount_minor > 0),
  note         text,
  created_at   timestamptz not null,
  primary key (business_id, id),
  foreign key (business_id, plan_id) references recurring_plans (business_id, id)
);
create index recurring_credits_plan on recurring_credits (business_id, plan_id);
select quittance_tenant_table('recurring_credits');

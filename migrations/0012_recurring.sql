-- Up Migration

-- What a business sells. Its prices are recurring items.
create table products (
  business_id  text collate "C" not null,
  id           text collate "C" not null,
  name         text not null,
  description  text,
  tax_category text collate "C" not null,
  -- What one unit is called, such as "seat".
  unit_label   text,
  reference_id text collate "C",
  metadata     jsonb,
  -- New plans and changes cannot take the prices of an archived product.
  archived_at  timestamptz,
  created_at   timestamptz not null,
  updated_at   timestamptz not null,
  primary key (business_id, id)
);
create unique index products_reference on products (business_id, reference_id);
create index products_newest on products (business_id, created_at, id);
select quittance_tenant_table('products');

-- What plans sell: prices of products, and items without one. An item never changes but for superseded_by, so plans refer to it.
create table recurring_items (
  business_id   text collate "C" not null,
  id            text collate "C" not null,
  product_id    text collate "C",
  label         text not null,
  -- The amount of one unit.
  price_minor   numeric(30,0) not null,
  currency      text collate "C" not null,
  model         text collate "C" not null default 'per_unit'
    check (model in ('flat', 'per_unit', 'volume', 'graduated', 'package')),
  -- Null with tiers, and for an item without a product, where price_minor says it.
  unit_amount   numeric,
  package_size  bigint,
  -- [{up_to, unit_amount, flat_amount}] with numbers as texts; the last up_to is null.
  tiers         jsonb,
  tax_behavior  text collate "C" not null default 'exclusive' check (tax_behavior in ('exclusive', 'inclusive')),
  version       integer not null default 1,
  -- The price that was made of this one. Plans that have this one keep it.
  superseded_by text collate "C",
  reference_id  text,
  description   text,
  metadata      jsonb,
  created_at    timestamptz not null,
  primary key (business_id, id),
  foreign key (business_id, product_id) references products (business_id, id),
  foreign key (business_id, superseded_by) references recurring_items (business_id, id)
);
create unique index recurring_items_reference on recurring_items (business_id, reference_id) where product_id is not null;
create index recurring_items_newest on recurring_items (business_id, created_at, id);
select quittance_tenant_table('recurring_items');

-- When a cycle bills. A config never changes, either.
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
  -- Of a config that a plan described by an RFC 5545 rule: rules that mean the same share one config.
  rule_key                  text collate "C",
  created_at                timestamptz not null,
  primary key (business_id, id)
);
create unique index recurring_billing_configs_rule on recurring_billing_configs (business_id, rule_key);
create index recurring_billing_configs_newest on recurring_billing_configs (business_id, created_at, id);
select quittance_tenant_table('recurring_billing_configs');

-- A customer's plan. Whoever changes the plan, its cycles or its orders holds the lock of this row.
create table recurring_plans (
  business_id               text collate "C" not null,
  id                        text collate "C" not null,
  name                      text not null,
  reference_number          text collate "C",
  customer_uuid             text collate "C" not null,
  -- A copy, so that lists can be filtered by it. The customer's never changes.
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
  -- The business's zone when the plan was made, so that its dates stay as they were announced.
  time_zone                 text not null,
  local_time                text not null,
  start_at                  timestamptz not null,
  -- The state of the current cycle.
  state                     text collate "C" not null,
  current_cycle             integer not null default 0,
  -- The suffix of the newest order's reference number.
  last_suffix               integer not null default 0,
  current_order_id          text collate "C",
  paused                    boolean not null default false,
  -- An order has no retries left and is not paid.
  uncollectible             boolean not null default false,
  -- Such an order was voided, so the plan stays uncollectible.
  permanently_uncollectible boolean not null default false,
  -- Since when nothing is billed.
  suspended_at              timestamptz,
  cancel_at                 timestamptz,
  -- What the plan does next, on the business's clock: a period or its end, an attempt or the void of an order. Null for nothing.
  due_at                    timestamptz,
  due_kind                  text collate "C" check (due_kind in ('timeline', 'attempt', 'void')),
  due_order_id              text collate "C",
  next_execute_at           timestamptz,
  -- Keys and values of the caller's own; null instead of an empty object.
  metadata                  jsonb,
  created_at                timestamptz not null,
  updated_at                timestamptz not null,
  primary key (business_id, id),
  constraint recurring_plans_due_work check ((due_at is null) = (due_kind is null)),
  constraint recurring_plans_suspended check ((paused or uncollectible) = (suspended_at is not null))
);
create unique index recurring_plans_reference_number on recurring_plans (business_id, reference_number);
create index recurring_plans_newest on recurring_plans (business_id, created_at, id);
create index recurring_plans_customer on recurring_plans (business_id, customer_uuid);
-- All due work of the tenant is found by one look-up, however many plans there are.
create index recurring_plans_due on recurring_plans (business_id, due_at) where due_at is not null;
-- Most tenants have no plan with a callback_url, and need not look up the plan of each event.
create index recurring_plans_callback on recurring_plans (business_id) where callback_url is not null;
-- Plans in the states that people look for. Nearly all plans are active, and billing one writes no entry here.
create index recurring_plans_notable on recurring_plans (business_id, state, created_at, id)
  where state <> 'active' and state <> 'upcoming';
create index recurring_plans_uncollectible on recurring_plans (business_id, suspended_at) where uncollectible;
-- The search finds plans by the beginning of their name.
create index recurring_plans_name on recurring_plans (business_id, name collate "C");
select quittance_tenant_table('recurring_plans');

-- The phases of a plan, by position. Billing updates a row in place, so its page keeps room for that.
create table recurring_cycles (
  business_id       text collate "C" not null,
  plan_id           text collate "C" not null,
  position          integer not null,
  id                text collate "C" not null,
  state             text collate "C" not null
                    check (state in ('upcoming', 'active', 'past_due', 'paused', 'uncollectible', 'completed', 'canceled')),
  -- How many orders the cycle makes; null if it runs for ever.
  billing_count     integer check (billing_count > 0),
  orders_created    integer not null default 0,
  billing_config_id text collate "C" not null,
  discount_type     text collate "C" check (discount_type in ('fixed_amount', 'percentage')),
  -- A fixed amount in minor units, or the exact percentage as text.
  discount_minor    numeric(30,0),
  discount_rate     text collate "C",
  description       text,
  -- Set when the cycle starts. With the config, all its dates follow from it (kernel/calendar).
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
  constraint recurring_cycles_billed check (billing_count is null or orders_created <= billing_count)
) with (fillfactor = 50);
select quittance_tenant_table('recurring_cycles');

-- What each cycle of a plan sells.
create table recurring_cycle_items (
  business_id    text collate "C" not null,
  plan_id        text collate "C" not null,
  cycle_position integer not null,
  position       integer not null,
  item_id        text collate "C" not null,
  quantity       bigint not null check (quantity > 0),
  -- Null where it is the price times the quantity.
  amount_minor   numeric(30,0),
  primary key (business_id, plan_id, cycle_position, position),
  foreign key (business_id, plan_id, cycle_position) references recurring_cycles (business_id, plan_id, position),
  foreign key (business_id, item_id) references recurring_items (business_id, id)
);
-- Lists of plans by a price.
create index recurring_cycle_items_item on recurring_cycle_items (business_id, item_id);
select quittance_tenant_table('recurring_cycle_items');

-- How an order of a plan is collected. The order itself is in `orders`. There is no foreign key to it, because it belongs to another
-- module and is written in the same transaction; `quittance verify` compares them.
create table recurring_orders (
  business_id         text collate "C" not null,
  order_id            text collate "C" not null,
  plan_id             text collate "C" not null,
  cycle_position      integer not null,
  -- Of the order's reference number, counted by plan.
  suffix              integer not null,
  period_start        timestamptz not null,
  state               text collate "C" not null check (state in ('open', 'paid', 'voided')),
  -- No retry is left.
  retries_exhausted   boolean not null default false,
  attempts            integer not null default 0,
  -- The transaction of the attempt that is under way.
  attempt_transaction text collate "C",
  attempted_at        timestamptz,
  next_attempt_at     timestamptz,
  -- Another operation blocks the order.
  blocked             boolean not null default false,
  void_at             timestamptz,
  -- How much of the plan's credit it used.
  credit_minor        numeric(30,0) not null default 0,
  created_at          timestamptz not null,
  primary key (business_id, order_id),
  constraint recurring_orders_ended check (state = 'open' or (attempt_transaction is null and next_attempt_at is null and void_at is null))
) with (fillfactor = 80);
-- What a plan still has to collect: few, however many orders it has made.
create index recurring_orders_open on recurring_orders (business_id, plan_id) where state = 'open';
select quittance_tenant_table('recurring_orders');

-- Tokens that must not be charged again: the card is lost, stolen, closed or not permitted.
create table recurring_refused_tokens (
  business_id   text collate "C" not null,
  token         text collate "C" not null,
  response_code text collate "C" not null,
  message       text not null,
  refused_at    timestamptz not null,
  primary key (business_id, token)
);
select quittance_tenant_table('recurring_refused_tokens');

-- Each grant of credit to a plan, so that the balance can be compared with what orders used.
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

-- What plans are found by (`quittance_name_terms`).
create table recurring_plan_terms (
  business_id text collate "C" not null,
  term        text collate "C" not null,
  plan_id     text collate "C" not null,
  primary key (business_id, term, plan_id)
);
select quittance_tenant_table('recurring_plan_terms');

-- Their words by what a word typed wrong has in common with them (`quittance_typo_keys`).
create table recurring_plan_word_keys (
  business_id text collate "C" not null,
  key         text collate "C" not null,
  word        text collate "C" not null,
  primary key (business_id, key, word)
);
select quittance_tenant_table('recurring_plan_word_keys');

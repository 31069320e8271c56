-- Up Migration

-- What lowers the orders of plans for a time. Only its name, redeem_until and max_redemptions change.
create table coupons (
  business_id       text collate "C" not null,
  id                text collate "C" not null,
  name              text not null,
  -- The exact percentage as text.
  percent_off       text collate "C",
  amount_off_minor  numeric(30,0) check (amount_off_minor > 0),
  -- Of amount_off_minor and minimum_minor.
  currency          text collate "C",
  -- How many periods of a plan it lowers. Null: no limit.
  times             integer check (times > 0),
  -- It lowers only orders before this time.
  lowers_until      timestamptz,
  -- A list of ids; null covers every line.
  product_ids       jsonb,
  -- A list; null for all customers.
  customer_uuids    jsonb,
  exclusive         boolean not null,
  minimum_minor     numeric(30,0) check (minimum_minor > 0),
  first_order_only  boolean not null,
  max_redemptions   integer check (max_redemptions > 0),
  redeem_until      timestamptz,
  -- Attachments to plans, those that have ended included. Whoever attaches it locks this row.
  redemptions       integer not null default 0,
  reference_id      text collate "C",
  metadata          jsonb,
  created_at        timestamptz not null,
  updated_at        timestamptz not null,
  primary key (business_id, id),
  constraint coupons_off check ((percent_off is null) <> (amount_off_minor is null)),
  constraint coupons_redemptions check (max_redemptions is null or redemptions <= max_redemptions)
);
create unique index coupons_reference on coupons (business_id, reference_id);
create index coupons_newest on coupons (business_id, created_at, id);
select quittance_tenant_table('coupons');

-- What customers type to get a coupon. A code never changes.
create table promotion_codes (
  business_id     text collate "C" not null,
  id              text collate "C" not null,
  coupon_id       text collate "C" not null,
  code            text not null,
  -- The code in lower case: codes ignore case.
  code_key        text collate "C" not null,
  customer_uuid   text collate "C",
  max_redemptions integer check (max_redemptions > 0),
  redeem_until    timestamptz,
  -- Those of the coupon that came by this code.
  redemptions     integer not null default 0,
  reference_id    text collate "C",
  metadata        jsonb,
  created_at      timestamptz not null,
  primary key (business_id, id),
  foreign key (business_id, coupon_id) references coupons (business_id, id),
  constraint promotion_codes_redemptions check (max_redemptions is null or redemptions <= max_redemptions)
);
create unique index promotion_codes_code on promotion_codes (business_id, code_key);
create unique index promotion_codes_reference on promotion_codes (business_id, reference_id);
create index promotion_codes_newest on promotion_codes (business_id, created_at, id);
create index promotion_codes_coupon on promotion_codes (business_id, coupon_id, created_at, id);
select quittance_tenant_table('promotion_codes');

-- The coupons of plans. Each row is a redemption.
create table recurring_plan_coupons (
  business_id       text collate "C" not null,
  plan_id           text collate "C" not null,
  -- The order of attachment, in which they lower.
  position          integer not null,
  coupon_id         text collate "C" not null,
  promotion_code_id text collate "C",
  periods_lowered   integer not null default 0,
  -- The start of the last period that it lowered. Further orders of that period share the use.
  lowered_period    timestamptz,
  attached_at       timestamptz not null,
  -- When it was detached, or was found to be used up.
  ended_at          timestamptz,
  primary key (business_id, plan_id, position),
  foreign key (business_id, plan_id) references recurring_plans (business_id, id),
  foreign key (business_id, coupon_id) references coupons (business_id, id),
  foreign key (business_id, promotion_code_id) references promotion_codes (business_id, id)
);
create index recurring_plan_coupons_coupon on recurring_plan_coupons (business_id, coupon_id);
-- A plan has a coupon once.
create unique index recurring_plan_coupons_once on recurring_plan_coupons (business_id, plan_id, coupon_id) where ended_at is null;
select quittance_tenant_table('recurring_plan_coupons');

-- A coupon was attached at some time. The coupons of other plans need not be read.
alter table recurring_plans add column has_coupons boolean not null default false;

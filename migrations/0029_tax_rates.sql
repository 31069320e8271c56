-- Up Migration

-- What tax lies on which lines, where and when. Only valid_until changes.
create table tax_rates (
  business_id  text collate "C" not null,
  id           text collate "C" not null,
  name         text not null,
  country      text collate "C" not null,
  -- Null: the whole country.
  region       text,
  -- Null: every category that has no rate of this name of its own.
  category     text,
  -- The exact percentage as text.
  percentage   text collate "C" not null,
  valid_from   date not null,
  -- Inclusive.
  valid_until  date,
  reference_id text collate "C",
  metadata     jsonb,
  created_at   timestamptz not null,
  updated_at   timestamptz not null,
  primary key (business_id, id),
  constraint tax_rates_dates check (valid_until >= valid_from)
);
create unique index tax_rates_reference on tax_rates (business_id, reference_id);
create index tax_rates_newest on tax_rates (business_id, created_at, id);
create index tax_rates_country on tax_rates (business_id, country);
select quittance_tenant_table('tax_rates');

-- The category of the product, which cannot change; null for standard.
alter table recurring_items add column tax_category text;
update recurring_items i set tax_category = p.tax_category
  from products p
 where p.business_id = i.business_id and p.id = i.product_id and p.tax_category <> 'standard';

-- Who invoices the plan, and how: {legal_entity_id, series, tax, collection, days_until_due}. Null without a legal entity.
alter table recurring_plans add column invoicing json;

-- The tax of the order: {behavior, groups}, and no_rate where lines had none. Null where no tax was asked for.
alter table orders add column tax json;
create index orders_without_rate on orders (business_id, created_at) where (tax ->> 'no_rate') is not null;

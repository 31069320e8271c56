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
  metadata     text,
  -- New plans and changes cannot take the prices of an archived product.
  archived_at  timestamptz,
  created_at   timestamptz not null,
  updated_at   timestamptz not null,
  primary key (business_id, id)
);
create unique index products_reference on products (business_id, reference_id);
create index products_newest on products (business_id, created_at, id);
select quittance_tenant_table('products');

alter table recurring_items
  -- Null for an item that was made without a product.
  add column product_id    text collate "C",
  add column model         text collate "C" not null default 'per_unit'
    check (model in ('flat', 'per_unit', 'volume', 'graduated', 'package')),
  -- Null where price_minor says it exactly, and with tiers.
  add column unit_amount   numeric,
  add column package_size  bigint,
  -- [{up_to, unit_amount, flat_amount}] with numbers as texts; the last up_to is null.
  add column tiers         jsonb,
  add column tax_behavior  text collate "C" not null default 'exclusive'
    check (tax_behavior in ('exclusive', 'inclusive')),
  add column version       integer not null default 1,
  -- The price that was made of this one. Plans that have this one keep it.
  add column superseded_by text collate "C",
  add column metadata      text,
  add foreign key (business_id, product_id) references products (business_id, id),
  add foreign key (business_id, superseded_by) references recurring_items (business_id, id);
create unique index recurring_items_reference on recurring_items (business_id, reference_id) where product_id is not null;

-- Null where it is the price times the quantity.
alter table recurring_cycle_items add column amount_minor numeric(30,0);
-- The plans that have a price.
create index recurring_cycle_items_item on recurring_cycle_items (business_id, item_id);

-- Up Migration

-- One-time codes that a payer gets by e-mail before the payment page shows saved cards. A row is written whether or not the address was
-- the customer's, so that responses and limits are the same. Times are on the real clock.
create table payer_codes (
  business_id   text collate "C" not null,
  id            text collate "C" not null,
  order_id      text collate "C" not null,
  customer_uuid text collate "C" not null,
  -- Null where no code was sent: nothing can match.
  code_hash     text collate "C",
  tries         integer not null default 0 check (tries between 0 and 5),
  created_at    timestamptz not null,
  expires_at    timestamptz not null,
  primary key (business_id, id),
  foreign key (business_id, customer_uuid) references customers (business_id, uuid)
);
create index payer_codes_of_customer on payer_codes (business_id, customer_uuid, created_at);
create index payer_codes_oldest on payer_codes (business_id, created_at);
select quittance_tenant_table('payer_codes');

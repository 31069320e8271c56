-- The customer of each failed token that was purged: the events of the token stay, and an erasure of the customer must find them.
create table purged_payment_tokens (
  business_id   text collate "C" not null,
  token         text collate "C" not null,
  customer_uuid text collate "C" not null,
  primary key (business_id, customer_uuid, token)
);
select quittance_tenant_table('purged_payment_tokens');

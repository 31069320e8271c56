-- Up Migration

-- What people of the merchant write down about a customer.
create table customer_notes (
  business_id   text collate "C" not null,
  id            text collate "C" not null,
  customer_uuid text collate "C" not null,
  text          text not null,
  actor_id      text collate "C" not null,
  created_at    timestamptz not null
);
create index customer_notes_customer on customer_notes (business_id, customer_uuid, created_at, id);
alter table customer_notes add primary key (business_id, id);
select quittance_tenant_table('customer_notes');
comment on column customer_notes.actor_id is 'The user or the API key that wrote it.';

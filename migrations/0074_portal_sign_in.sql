-- Up Migration

-- A link in a message opens the cards of its customer and nothing else.
alter table portal_sessions add column is_cards_only boolean not null default false;
comment on column portal_sessions.is_cards_only is 'Whether it was opened by a link in a message, and shows only the cards.';

-- Links that were mailed from the sign-in page, as far back as they count.
create table portal_mailed_links (
  business_id  text collate "C" not null,
  id           text collate "C" not null,
  address_hash text collate "C" not null,
  mailed_at    timestamptz not null,
  primary key (business_id, id)
);
create index portal_mailed_links_address on portal_mailed_links (business_id, address_hash, mailed_at);
create index portal_mailed_links_oldest on portal_mailed_links (business_id, mailed_at);
select quittance_tenant_table('portal_mailed_links');
comment on column portal_mailed_links.id is 'The session that the link opens.';
comment on column portal_mailed_links.address_hash is 'A keyed hash of the address in lower case.';
comment on column portal_mailed_links.mailed_at is 'On the real clock.';

create index billing_details_invoice_email on billing_details (business_id, invoice_email) where invoice_email is not null;

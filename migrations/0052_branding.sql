-- Up Migration

-- What payers see of a business on its pages and documents. The logo's hash is part of its address, so that browsers may
-- keep it for ever.
create table business_branding (
  business_id  text collate "C" not null,
  display_name text,
  color        text collate "C" check (color ~ '^#[0-9a-f]{6}$'),
  email        text,
  phone        text,
  website      text,
  terms_url    text,
  privacy_url  text,
  wallet_a_name text,
  wallet_b_name text,
  logo         bytea check (octet_length(logo) <= 262144),
  logo_type    text collate "C" check (logo_type in ('image/png', 'image/jpeg', 'image/webp')),
  logo_hash    text collate "C",
  updated_at   timestamptz not null,
  primary key (business_id),
  check ((logo is null) = (logo_type is null) and (logo is null) = (logo_hash is null))
);
select quittance_tenant_table('business_branding');

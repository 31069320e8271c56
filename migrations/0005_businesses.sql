-- Up Migration

-- The clock of each tenant: real time plus an offset. Every transaction reads it as it begins, so it is outside row-level security.
create table business_clocks (
  business_id         text collate "C" primary key,
  offset_ms           bigint not null default 0,
  -- Where the clock stands while it is advanced to `advance_to`.
  frozen_at           timestamptz,
  advance_to          timestamptz,
  -- The process that advances it. Another takes over when its lease (on the real clock) ends.
  driver_id           text collate "C",
  driver_leased_until timestamptz,
  -- The Idempotency-Key of the request that waits for the advance.
  idempotency_id      text collate "C",
  constraint business_clocks_frozen check ((frozen_at is null) = (advance_to is null)),
  constraint business_clocks_driven check (
    advance_to is not null or (driver_id is null and driver_leased_until is null and idempotency_id is null))
);
select quittance_shared_table('business_clocks', 'tenant');

-- Each environment (test, live) of a business is a tenant, one row here. Shared: the command line finds it by its code, and the key
-- of a request leads to it before the tenant is known.
create table businesses (
  business_id             text collate "C" primary key,
  -- X-P-Customer-Code names it. Both environments have the same.
  code                    text collate "C" not null,
  environment             text collate "C" not null check (environment in ('test', 'live')),
  -- Counts tenants: the deposit addresses of a tenant's wallets are derived under its number.
  number                  integer not null unique,
  name                    text not null,
  time_zone               text collate "C" not null,
  currency                text collate "C" not null,
  -- Signs the events for notify_url and callback_url; encrypted (platform/security).
  webhook_secret          text collate "C" not null,
  -- After a rotation the previous one signs beside it, until then (on the real clock).
  previous_webhook_secret text collate "C",
  previous_until          timestamptz,
  created_at              timestamptz not null,
  unique (code, environment),
  constraint businesses_previous_secret check ((previous_webhook_secret is null) = (previous_until is null))
);
select quittance_shared_table('businesses', 'reference');

-- The programs of a business. An app has one id in both environments, and its own public keys in each, so that a key tried out in the
-- test environment locks nobody out of the live one.
create table apps (
  app_id         text collate "C" not null,
  environment    text collate "C" not null,
  business_id    text collate "C" not null references businesses (business_id),
  name           text not null,
  -- Public keys as JWK. With a signing key every request of the app must be signed.
  signing_key    json,
  encryption_key json,
  created_at     timestamptz not null,
  primary key (app_id, environment)
);
select quittance_shared_table('apps', 'reference');

-- API keys are found by their hash, before the tenant is known. The key itself is shown once and never stored.
create table api_keys (
  key_id       text collate "C" primary key,
  name         text,
  -- SHA-256 of the whole key in base64url. 256 random bits need no salt and no slow hash.
  hash         text collate "C" not null unique,
  app_id       text collate "C" not null,
  environment  text collate "C" not null,
  scopes       text[] not null,
  created_at   timestamptz not null,
  expires_at   timestamptz,
  revoked_at   timestamptz,
  -- To the minute: a write for every request would cost more than the request.
  last_used_at timestamptz,
  foreign key (app_id, environment) references apps (app_id, environment)
);
create index api_keys_app on api_keys (app_id, environment);
select quittance_shared_table('api_keys', 'reference');

-- Nonces of signed requests, so that none is accepted twice. Kept while their signature could be valid.
create table signature_nonces (
  business_id text collate "C" not null,
  app_id      text collate "C" not null,
  nonce       text collate "C" not null,
  expires_at  timestamptz not null,
  primary key (business_id, app_id, nonce)
);
create index signature_nonces_expires_at on signature_nonces (business_id, expires_at);
select quittance_tenant_table('signature_nonces');

-- What payers see of a business on its pages and documents.
create table business_branding (
  business_id   text collate "C" not null,
  display_name  text,
  color         text collate "C" check (color ~ '^#[0-9a-f]{6}$'),
  email         text,
  phone         text,
  website       text,
  terms_url     text,
  privacy_url   text,
  wallet_a_name text,
  wallet_b_name text,
  logo          bytea check (octet_length(logo) <= 262144),
  logo_type     text collate "C" check (logo_type in ('image/png', 'image/jpeg', 'image/webp')),
  -- Part of the logo's address, so that browsers may keep it for ever.
  logo_hash     text collate "C",
  updated_at    timestamptz not null,
  primary key (business_id),
  constraint business_branding_whole_logo check ((logo is null) = (logo_type is null) and (logo is null) = (logo_hash is null))
);
select quittance_tenant_table('business_branding');

-- The clock of what belongs to no business: the operator's entries of the audit log.
insert into business_clocks (business_id) values ('operator');

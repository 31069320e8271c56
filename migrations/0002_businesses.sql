-- Up Migration

-- A business has a test and a live environment; each is a tenant, one row here. Shared by all tenants: the
-- command line finds it by its code, and a request's key leads to it before the tenant is known.
create table businesses (
  business_id    text collate "C" primary key,
  -- Both environments have the same code: it is what X-P-Customer-Code names.
  code           text collate "C" not null,
  environment    text collate "C" not null check (environment in ('test', 'live')),
  -- Counts tenants: the deposit addresses of a tenant's wallets are derived under its number.
  number         integer not null unique,
  name           text not null,
  time_zone      text collate "C" not null,
  currency       text collate "C" not null,
  -- Signs the events sent to notify_url and callback_url; under envelope encryption (platform/keyring.ts).
  webhook_secret text collate "C" not null,
  created_at     timestamptz not null,
  unique (code, environment)
);
select quittance_shared_table('businesses');

-- An app is known in both environments by one id. Its public keys are registered in each by itself, so that
-- a key tried out in the test environment locks nobody out of the live one.
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
create index apps_business on apps (business_id);
select quittance_shared_table('apps');

-- API keys are found by their hash, before the tenant is known. The key itself is shown once and never stored.
create table api_keys (
  key_id       text collate "C" primary key,
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
select quittance_shared_table('api_keys');

-- Nonces of signed requests, so that none is accepted twice. Kept as long as their signature could be valid.
create table signature_nonces (
  business_id text collate "C" not null,
  app_id      text collate "C" not null,
  nonce       text collate "C" not null,
  expires_at  timestamptz not null,
  primary key (business_id, app_id, nonce)
);
create index signature_nonces_expires_at on signature_nonces (business_id, expires_at);
select quittance_tenant_table('signature_nonces');

-- Who drives an advance, until when it need not be heard of (real clock), and whose Idempotency-Key waits for
-- the answer. A driver that stops renewing its lease is replaced.
alter table business_clocks
  add column driver_id text collate "C",
  add column driver_leased_until timestamptz,
  add column idempotency_id text collate "C",
  add check (advance_to is not null or (driver_id is null and driver_leased_until is null and idempotency_id is null));

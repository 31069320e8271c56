-- Up Migration

-- People who sign in. A user may belong to several businesses, and is read before any business is known.
create table users (
  id                 text collate "C" primary key,
  name               text not null,
  email              text collate "C" not null unique check (email = lower(email)),
  email_verified     boolean not null default false,
  image              text,
  two_factor_enabled boolean not null default false,
  -- Operators stand above businesses.
  operator           boolean not null default false,
  locale             text collate "C" not null default 'en',
  disabled_at        timestamptz,
  created_at         timestamptz not null,
  updated_at         timestamptz not null
);
select quittance_shared_table('users', 'reference');

-- Who is signed in. A token is worth nothing without its signature, which only the cookie has.
create table user_sessions (
  id         text collate "C" primary key,
  token      text collate "C" not null unique,
  user_id    text collate "C" not null references users (id) on delete cascade,
  ip_address text,
  user_agent text,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index user_sessions_user on user_sessions (user_id);
select quittance_shared_table('user_sessions', 'reference');

-- The ways to sign in as a user: the password (provider `credential`), or an account at the OIDC provider.
create table user_accounts (
  id                       text collate "C" primary key,
  account_id               text collate "C" not null,
  provider_id              text collate "C" not null,
  user_id                  text collate "C" not null references users (id) on delete cascade,
  password                 text collate "C",
  access_token             text,
  refresh_token            text,
  id_token                 text,
  access_token_expires_at  timestamptz,
  refresh_token_expires_at timestamptz,
  scope                    text,
  created_at               timestamptz not null,
  updated_at               timestamptz not null,
  unique (provider_id, account_id)
);
create index user_accounts_user on user_accounts (user_id);
select quittance_shared_table('user_accounts', 'reference');

-- Short-lived proofs: password resets, challenges of passkeys, second factors under way. Identifiers are hashes.
create table user_verifications (
  id         text collate "C" primary key,
  identifier text collate "C" not null,
  value      text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index user_verifications_identifier on user_verifications (identifier);
create index user_verifications_expiry on user_verifications (expires_at);
select quittance_shared_table('user_verifications', 'local');

-- Second factors by one-time codes. Both texts are encrypted with the key in user_secrets.
create table user_two_factors (
  id           text collate "C" primary key,
  user_id      text collate "C" not null unique references users (id) on delete cascade,
  secret       text collate "C" not null,
  backup_codes text collate "C" not null,
  verified     boolean not null
);
select quittance_shared_table('user_two_factors', 'reference');

-- Passkeys, as WebAuthn describes them.
create table user_passkeys (
  id            text collate "C" primary key,
  user_id       text collate "C" not null references users (id) on delete cascade,
  name          text,
  public_key    text not null,
  credential_id text collate "C" not null unique,
  counter       bigint not null,
  device_type   text not null,
  backed_up     boolean not null,
  transports    text,
  aaguid        text,
  created_at    timestamptz
);
create index user_passkeys_user on user_passkeys (user_id);
select quittance_shared_table('user_passkeys', 'reference');

-- The secret that signs cookies and encrypts second factors, sealed by the keyring. All processes share it.
create table user_secrets (
  name   text collate "C" primary key,
  sealed text collate "C" not null
);
select quittance_shared_table('user_secrets', 'local');

-- Failed attempts to sign in, by account and by address, so that all processes count together. Names are hashes.
create table sign_in_failures (
  name         text collate "C" primary key,
  failures     integer not null,
  window_ends  timestamptz not null,
  locked_until timestamptz
);
create index sign_in_failures_window on sign_in_failures (window_ends);
select quittance_shared_table('sign_in_failures', 'local');

-- Links with which the first user is made. Only hashes are stored, and no link works once there is a user.
create table user_setup_links (
  hash       text collate "C" primary key,
  expires_at timestamptz not null
);
select quittance_shared_table('user_setup_links', 'reference');

-- Who works for which business. A membership spans both environments, so it belongs to no tenant.
create table memberships (
  business_code text collate "C" not null,
  user_id       text collate "C" not null references users (id) on delete cascade,
  test_role     text collate "C" check (test_role in ('owner', 'developer', 'finance', 'support', 'read_only')),
  live_role     text collate "C" check (live_role in ('owner', 'developer', 'finance', 'support', 'read_only')),
  created_at    timestamptz not null,
  updated_at    timestamptz not null,
  primary key (business_code, user_id),
  constraint memberships_some_role check (test_role is not null or live_role is not null)
);
create index memberships_user on memberships (user_id);
create index memberships_newest on memberships (business_code, created_at, user_id);
select quittance_shared_table('memberships', 'reference');

-- Links that make their receiver a member. Only hashes are stored.
create table invitations (
  business_code text collate "C" not null,
  id            text collate "C" not null,
  hash          text collate "C" not null unique,
  email         text collate "C" not null check (email = lower(email)),
  test_role     text collate "C" check (test_role in ('owner', 'developer', 'finance', 'support', 'read_only')),
  live_role     text collate "C" check (live_role in ('owner', 'developer', 'finance', 'support', 'read_only')),
  -- Whether the link went to the address, so that accepting it proves whose address it is.
  mailed        boolean not null,
  -- A user or an API key.
  invited_by    text collate "C" not null,
  created_at    timestamptz not null,
  expires_at    timestamptz not null,
  accepted_at   timestamptz,
  -- Who accepted.
  user_id       text collate "C",
  primary key (business_code, id),
  constraint invitations_some_role check (test_role is not null or live_role is not null),
  constraint invitations_accepted check ((accepted_at is null) = (user_id is null))
);
create index invitations_newest on invitations (business_code, created_at, id);
create index invitations_email on invitations (email) where accepted_at is null;
select quittance_shared_table('invitations', 'reference');

-- The saved views and chosen columns of a user's lists in the console.
create table user_list_settings (
  user_id    text collate "C" not null,
  list       text collate "C" not null,
  settings   json not null,
  updated_at timestamptz not null,
  primary key (user_id, list)
);
select quittance_shared_table('user_list_settings', 'local');

-- Browsers that are not asked for the second factor. Their cookies hold tokens, of which only hashes are stored here.
create table user_trusted_devices (
  id           text collate "C" primary key,
  hash         text collate "C" not null constraint user_trusted_devices_hash unique,
  user_id      text collate "C" not null constraint user_trusted_devices_user_fkey references users (id) on delete cascade,
  ip_address   text,
  user_agent   text,
  created_at   timestamptz not null,
  last_used_at timestamptz not null,
  expires_at   timestamptz not null
);
create index user_trusted_devices_user on user_trusted_devices (user_id);
select quittance_shared_table('user_trusted_devices', 'reference');

-- Up Migration

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

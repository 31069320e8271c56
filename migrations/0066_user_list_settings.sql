-- Up Migration

-- The saved views and chosen columns of a user's lists in the console. They belong to the user, not to a business.
create table user_list_settings (
  user_id    text collate "C" not null,
  list       text collate "C" not null,
  settings   json not null,
  updated_at timestamptz not null,
  primary key (user_id, list)
);
select quittance_shared_table('user_list_settings');

-- Up Migration

-- An action on many objects: first what it selects, then one item after the other. `due_at` is on the real clock.
create table bulk_actions (
  business_id      text collate "C" not null,
  id               text collate "C" not null,
  target           text collate "C" not null check (target in ('payments', 'plans', 'deliveries')),
  action           text collate "C" not null,
  dry_run          boolean not null,
  state            text collate "C" not null check (state in ('pending', 'running', 'completed', 'canceled')),
  -- Of a list; null where the ids were given. The cursor is where the selection goes on, while the state is pending.
  list             text collate "C",
  filter           text,
  selection_cursor text,
  options          json not null,
  -- On whose behalf the items are done.
  caller           json not null,
  total            bigint not null,
  succeeded        bigint not null default 0,
  failed           bigint not null default 0,
  -- Minor units as text, by currency.
  amounts          json not null default '{}',
  due_at           timestamptz,
  leased_until     timestamptz,
  lease_id         text collate "C",
  created_at       timestamptz not null,
  completed_at     timestamptz,
  primary key (business_id, id),
  check ((list is null) = (filter is null))
);
create index bulk_actions_newest on bulk_actions (business_id, target, created_at, id);
create index bulk_actions_due on bulk_actions (business_id, due_at) where due_at is not null;
select quittance_tenant_table('bulk_actions');

-- What is still to be done, and the first failures. A row goes with its success.
create table bulk_action_items (
  business_id text collate "C" not null,
  action_id   text collate "C" not null,
  item_id     text collate "C" not null,
  state       text collate "C" not null default 'pending' check (state in ('pending', 'failed')),
  tries       smallint not null default 0,
  due_at      timestamptz not null,
  reason      text collate "C",
  message     text,
  primary key (business_id, action_id, item_id),
  foreign key (business_id, action_id) references bulk_actions (business_id, id),
  check ((state = 'failed') = (reason is not null))
);
create index bulk_action_items_due on bulk_action_items (business_id, action_id, due_at, item_id) where state = 'pending';
create index bulk_action_items_failed on bulk_action_items (business_id, action_id, item_id) where state = 'failed';
select quittance_tenant_table('bulk_action_items');

-- Up Migration

-- An action on many objects: first they are selected, then it is done to one after the other.
create table bulk_actions (
  business_id      text collate "C" not null,
  id               text collate "C" not null,
  target           text collate "C" not null check (target in ('payments', 'plans', 'deliveries')),
  action           text collate "C" not null,
  dry_run          boolean not null,
  -- `pending` while its items are selected; `stopped` when its key, user or role lost the right, and somebody who has it can take over.
  state            text collate "C" not null
                   constraint bulk_actions_state_check check (
                     state in ('pending', 'running', 'completed', 'canceled') or (state = 'stopped' and stop_reason is not null)),
  stop_reason      text collate "C",
  -- The list whose objects are selected, its filter, and where the selection goes on; null where the ids were given.
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
  -- On the real clock.
  due_at           timestamptz,
  leased_until     timestamptz,
  lease_id         text collate "C",
  created_at       timestamptz not null,
  completed_at     timestamptz,
  primary key (business_id, id),
  constraint bulk_actions_list check ((list is null) = (filter is null))
);
create index bulk_actions_newest on bulk_actions (business_id, target, created_at, id);
create index bulk_actions_due on bulk_actions (business_id, due_at) where due_at is not null;
-- What needs a person, the oldest first.
create index bulk_actions_stopped on bulk_actions (business_id, completed_at) where state = 'stopped';
select quittance_tenant_table('bulk_actions');

-- What is still to be done, and the first failures. A row is deleted with its success.
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
  constraint bulk_action_items_failure check ((state = 'failed') = (reason is not null))
);
create index bulk_action_items_due on bulk_action_items (business_id, action_id, due_at, item_id) where state = 'pending';
create index bulk_action_items_failed on bulk_action_items (business_id, action_id, item_id) where state = 'failed';
select quittance_tenant_table('bulk_action_items');

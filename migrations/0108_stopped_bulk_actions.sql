-- Up Migration

-- An action whose key, user or role lost the right ends as stopped. Somebody who has the right can take it over.
-- Needs programs from 0049, because every state that they write is allowed as before.
alter table bulk_actions
  add column stop_reason text collate "C",
  drop constraint bulk_actions_state_check,
  add constraint bulk_actions_state_check check (
    state in ('pending', 'running', 'completed', 'canceled') or (state = 'stopped' and stop_reason is not null));
-- What needs a person: oldest first.
create index bulk_actions_stopped on bulk_actions (business_id, completed_at) where state = 'stopped';

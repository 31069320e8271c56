-- Up Migration

-- The list of disputes that need a response is short, and that of all disputes is not.
create index disputes_state on disputes (business_id, state, created_at, id);

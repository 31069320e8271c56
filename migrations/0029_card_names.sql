-- Up Migration

-- Columns and a job of the cards take the field's words: a fallback applies when the decision hook times out, a limit is
-- effective since a time, and an operation keeps its first response.
alter table card_authorizations rename column hook_on_silence to hook_timeout_fallback;
alter table card_decision_hooks rename column on_silence to timeout_fallback;
alter table card_operations rename column answer to response;
alter table card_limits rename column bound_since to effective_since;
alter table card_usage rename column last_at to last_changed_at;
update next_runs set job = 'card_hook_timeout' where job = 'card_hook_silence';

-- Up Migration
-- Stands for aeb5f103c75d5b90ac4e34f6949f798e229c1c4fc7a15815014b0807c55880e7: the same schema and rows, in statements that Citus takes.

alter table recurring_plans
  -- When a paused plan resumes by itself.
  add column pause_until         timestamptz,
  -- How long the customer is bound: ISO 8601 durations. A notice and a renewal are null where the plan has none.
  add column term_minimum        text collate "C",
  add column term_notice         text collate "C",
  add column term_renewal        text collate "C",
  -- The trial begins at start_at. Its end is the anchor of the first period. Null without a trial.
  add column trial_end_at        timestamptz,
  -- ended: while the plan was paused, so the first period begins at the resumption.
  add column trial_state         text collate "C",
  -- What happens at the end if the customer has no active default token.
  add column trial_without_token text collate "C",
  add column trial_notice_days   integer,
  -- When the end of the trial is announced. Null once it was, and where nothing is announced.
  add column trial_notice_at     timestamptz;
alter table recurring_plans add constraint recurring_plans_trial_state_check
  check (trial_state in ('running', 'ended', 'converted', 'canceled'));
alter table recurring_plans add constraint recurring_plans_trial_without_token_check
  check (trial_without_token in ('cancel', 'pause', 'bill'));
alter table recurring_plans add constraint recurring_plans_trial_notice_days_check check (trial_notice_days >= 0);
alter table recurring_plans add constraint recurring_plans_check check (
  (trial_end_at is null) = (trial_state is null) and (trial_end_at is null) = (trial_without_token is null)
  and (trial_end_at is null) = (trial_notice_days is null) and (trial_notice_at is null or trial_state = 'running'));

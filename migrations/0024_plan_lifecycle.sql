-- Up Migration

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
  add column trial_state         text collate "C" check (trial_state in ('running', 'ended', 'converted', 'canceled')),
  -- What happens at the end if the customer has no active default token.
  add column trial_without_token text collate "C" check (trial_without_token in ('cancel', 'pause', 'bill')),
  add column trial_notice_days   integer check (trial_notice_days >= 0),
  -- When the end of the trial is announced. Null once it was, and where nothing is announced.
  add column trial_notice_at     timestamptz check (
    (trial_end_at is null) = (trial_state is null) and (trial_end_at is null) = (trial_without_token is null)
    and (trial_end_at is null) = (trial_notice_days is null) and (trial_notice_at is null or trial_state = 'running'));

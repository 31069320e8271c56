-- Up Migration
-- Stands for b87a259d824b3b07bd5cbbc0658b6ada3e08ee3ef08dae636518c1add3bb15fb: the same schema and rows, in statements that Citus takes.

-- When unpaid orders are attempted again. Plans that name a policy follow it instead of their two numbers of retries.
create table dunning_policies (
  business_id  text collate "C" not null,
  id           text collate "C" not null,
  name         text not null,
  -- [{after_days} or {days_of_month, min_days}, each with at_time or null].
  steps        jsonb not null,
  -- [{decline_codes, steps}]: other steps after a decline with one of these codes.
  soft         jsonb not null,
  hard         text collate "C" not null check (hard in ('wait', 'step')),
  new_token    text collate "C" not null check (new_token in ('retry', 'wait')),
  exhausted    text collate "C" not null check (exhausted in ('uncollectible', 'cancel')),
  -- Days after the due date.
  reminders    jsonb not null,
  reference_id text collate "C",
  metadata     jsonb,
  created_at   timestamptz not null,
  updated_at   timestamptz not null,
  primary key (business_id, id)
);
create unique index dunning_policies_reference on dunning_policies (business_id, reference_id);
create index dunning_policies_newest on dunning_policies (business_id, created_at, id);
select quittance_tenant_table('dunning_policies');

alter table recurring_plans add column dunning_policy_id text collate "C";
alter table recurring_plans add foreign key (business_id, dunning_policy_id) references dunning_policies (business_id, id);
create index recurring_plans_dunning_policy on recurring_plans (business_id, dunning_policy_id) where dunning_policy_id is not null;

-- How far the order has got in its plan's policy: {decline_code, step, waits, early_from}. Null before its first failure.
alter table recurring_orders add column dunning jsonb;

-- When payment_token.expiring is due next: 30 days and then 7 days before expires_at.
alter table payment_tokens add column expiry_notice_at timestamptz;
create index payment_tokens_expiry_notice on payment_tokens (business_id, expiry_notice_at) where expiry_notice_at is not null;
update payment_tokens set expiry_notice_at = (expires_at at time zone 'UTC' - interval '30 days') at time zone 'UTC'
 where state = 'active' and expires_at > now() + interval '30 days';
update payment_tokens set expiry_notice_at = (expires_at at time zone 'UTC' - interval '7 days') at time zone 'UTC'
 where state = 'active' and expires_at > now() + interval '7 days' and expires_at <= now() + interval '30 days';
insert into next_runs (business_id, job, due_at)
select distinct business_id, 'card_expiry_notices', now() from payment_tokens where expiry_notice_at is not null
on conflict do nothing;

-- Up Migration

-- What a business lets its customers do for themselves. Without a row: nothing.
create table portal_settings (
  business_id text collate "C" not null,
  return_url  text,
  allow       jsonb not null,
  updated_at  timestamptz not null,
  primary key (business_id)
);
select quittance_tenant_table('portal_settings');
comment on column portal_settings.return_url is 'Where the portal''s link back leads, where the session has none of its own.';
comment on column portal_settings.allow is 'What customers may do, as the API shows it.';
comment on column portal_settings.updated_at is 'On the real clock.';

-- Sessions of customers in the portal. A token, link or cookie of a session is signed and stored nowhere, but is worth nothing without
-- this row. All times are on the real clock.
create table portal_sessions (
  business_id     text collate "C" not null,
  id              text collate "C" not null,
  customer_uuid   text collate "C" not null,
  return_url      text,
  flow            text collate "C" check (flow in ('payment_method', 'cancel', 'change')),
  plan_id         text collate "C",
  is_read_only    boolean not null,
  link_expires_at timestamptz not null,
  opened_at       timestamptz,
  expires_at      timestamptz not null,
  ended_at        timestamptz,
  created_at      timestamptz not null,
  primary key (business_id, id),
  foreign key (business_id, customer_uuid) references customers (business_id, uuid)
);
create index portal_sessions_customer on portal_sessions (business_id, customer_uuid);
create index portal_sessions_oldest on portal_sessions (business_id, created_at);
select quittance_tenant_table('portal_sessions');
comment on column portal_sessions.customer_uuid is 'Who acts in the session.';
comment on column portal_sessions.return_url is 'Where the portal''s link back leads; null: that of the settings.';
comment on column portal_sessions.flow is 'The page at which the link opens; null: the overview.';
comment on column portal_sessions.plan_id is 'The plan at which the link opens.';
comment on column portal_sessions.is_read_only is 'Whether it shows what the customer sees, and changes nothing.';
comment on column portal_sessions.link_expires_at is 'Until when the link can be opened.';
comment on column portal_sessions.opened_at is 'When the link was used up; null before.';
comment on column portal_sessions.expires_at is 'Until when the token is good.';
comment on column portal_sessions.ended_at is 'When the session was ended before its time; null: it was not.';
comment on column portal_sessions.created_at is 'By which old sessions are swept.';

-- Offers that customers accepted in place of a cancellation: one a plan, also when its coupon is detached.
create table portal_offers (
  business_id   text collate "C" not null,
  plan_id       text collate "C" not null,
  customer_uuid text collate "C" not null,
  coupon_id     text collate "C" not null,
  accepted_at   timestamptz not null,
  primary key (business_id, plan_id)
);
create index portal_offers_customer on portal_offers (business_id, customer_uuid);
select quittance_tenant_table('portal_offers');
comment on column portal_offers.plan_id is 'The plan that goes on for it.';
comment on column portal_offers.customer_uuid is 'The customer of the plan.';
comment on column portal_offers.coupon_id is 'What was offered.';
comment on column portal_offers.accepted_at is 'On the business''s clock.';

alter table recurring_plans add column cancellation jsonb;
comment on column recurring_plans.cancellation is '`{reason, comment, by}` of who canceled it with a reason; null for others.';

comment on column idempotency_keys.app_id is 'The caller''s app; `checkout` for the hosted pages; `portal:` and the customer''s uuid for the customer portal.';
comment on column request_log.actor_type is '`api_key`, `user` or `portal`.';
comment on column request_log.actor_id is 'The id of the key, of the user or of the customer.';
comment on column request_log.app_id is 'The app of the key; that of the console for a user; `portal:` and the uuid for a customer.';
comment on column audit_entries.actor_type is '`api_key`, `user`, `command_line`, `payer`, `portal` or `service`.';
comment on column audit_entries.actor_id is 'The id of the key, of the user or of the customer, the account at the operating system, or `unknown`.';

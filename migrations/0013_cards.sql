-- Up Migration

-- Cards that a business issues into its pool and links to its users.
create table cards (
  business_id         text collate "C" not null,
  id                  text collate "C" not null,
  -- The caller's own. Links name the card by it.
  reference_id        text collate "C" not null,
  type                text collate "C" not null check (type in ('virtual', 'physical')),
  mode                text collate "C" not null check (mode in ('B2C', 'B2B')),
  title               text not null,
  business_name       text not null,
  settlement_currency text collate "C" not null,
  status              text collate "C" not null
                      check (status in ('Inactive', 'Active', 'Locked', 'Suspended', 'Terminated', 'Expired')),
  physical_status     text collate "C" not null
                      check (physical_status in ('Idle', 'Ordered', 'Active', 'Locked', 'Suspended', 'Terminated')),
  status_remark       text not null,
  -- The user that the card is linked to; null while it is in the pool.
  p_user_id           text collate "C",
  -- Limits start anew at midnight and at the end of the month in this zone.
  time_zone           text collate "C" not null,
  -- When the zone was set: earlier windows have other bounds.
  zone_since          timestamptz not null,
  -- The encrypted card number (platform/security).
  sealed_number       text collate "C" not null,
  first_6             text collate "C" not null,
  last_4              text collate "C" not null,
  issuer_brand        text collate "C" not null,
  expiration_date     text collate "C" not null,
  -- The end of the month of `expiration_date` in the card's zone.
  expires_at          timestamptz not null,
  spending_controls   json not null,
  funding_wallet_id   text collate "C",
  -- Keys and values of the caller's own; null instead of an empty object.
  metadata            jsonb,
  created_at          timestamptz not null,
  updated_at          timestamptz not null
);
create unique index cards_reference_id on cards (business_id, reference_id);
create index cards_newest on cards (business_id, created_at, id);
-- A new number is compared with the few that end in the same digits, because encrypted numbers cannot be looked up.
create index cards_last_4 on cards (business_id, last_4);
create index cards_expiring on cards (business_id, expires_at) where status not in ('Terminated', 'Expired');
create index cards_status on cards (business_id, status, created_at, id);
create index cards_user on cards (business_id, p_user_id, created_at, id) where p_user_id is not null;
-- The last of the indexes: while the table is new all of them look the same to the planner, and it takes the youngest. Every decision
-- looks its card up here; in another index it would read all cards of the business.
alter table cards add primary key (business_id, id);
select quittance_tenant_table('cards');

-- What a card has used in the windows of its last operation; a window that has passed counts as 0. Whoever changes the card, its limits
-- or its authorizations locks this row first. It is narrow and has room on its page, because every decision rewrites it.
create table card_usage (
  business_id     text collate "C" not null,
  card_id         text collate "C" not null,
  -- The card's time never runs back, although the clocks of two processes differ by milliseconds.
  last_changed_at timestamptz not null,
  daily_start     timestamptz not null,
  daily_end       timestamptz not null,
  daily_minor     numeric(30,0) not null default 0,
  daily_count     integer not null default 0,
  monthly_start   timestamptz not null,
  monthly_end     timestamptz not null,
  monthly_minor   numeric(30,0) not null default 0,
  monthly_count   integer not null default 0,
  lifetime_minor  numeric(30,0) not null default 0,
  lifetime_count  integer not null default 0,
  primary key (business_id, card_id),
  foreign key (business_id, card_id) references cards (business_id, id)
) with (fillfactor = 40);
select quittance_tenant_table('card_usage');

-- What a card may spend in each period.
create table card_limits (
  business_id     text collate "C" not null,
  id              text collate "C" not null,
  card_id         text collate "C" not null,
  period          text collate "C" not null check (period in ('Daily', 'Monthly', 'Lifetime', 'Transaction')),
  amount_minor    numeric(30,0) not null check (amount_minor >= 0),
  status          text collate "C" not null check (status in ('Active', 'Inactive')),
  -- Since when the limit is as it is: what was approved before may be above it.
  effective_since timestamptz not null,
  created_at      timestamptz not null,
  primary key (business_id, id),
  foreign key (business_id, card_id) references cards (business_id, id)
);
create unique index card_limits_period on card_limits (business_id, card_id, period);
select quittance_tenant_table('card_limits');

-- The history of limit changes: one row for each limit that an edit names.
create table card_limit_changes (
  business_id  text collate "C" not null,
  id           text collate "C" not null,
  card_id      text collate "C" not null,
  limit_id     text collate "C" not null,
  amount_minor numeric(30,0) not null,
  remark       text not null,
  created_at   timestamptz not null,
  primary key (business_id, id),
  foreign key (business_id, limit_id) references card_limits (business_id, id)
);
create index card_limit_changes_card on card_limit_changes (business_id, card_id, created_at, id);
create index card_limit_changes_limit on card_limit_changes (business_id, limit_id, created_at, id);
select quittance_tenant_table('card_limit_changes');

-- Decisions, declined ones too, and what became of the approved ones. No foreign key: its check would lock the card's row once more for
-- each decision, whose writer holds the card's lock already, and cards are never deleted.
create table card_authorizations (
  business_id           text collate "C" not null,
  uuid                  text collate "C" not null,
  card_id               text collate "C" not null,
  reference_id          text collate "C" not null,
  state                 text collate "C" not null
                        check (state in ('pending', 'captured', 'refunded', 'reversed', 'expired', 'declined')),
  decline_reason        text collate "C",
  -- As requested. Another currency than the card's stands only on a declined one.
  currency              text collate "C" not null,
  amount_minor          numeric(30,0) not null,
  held_minor            numeric(30,0) not null check (held_minor >= 0),
  captured_minor        numeric(30,0) not null check (captured_minor >= 0),
  refunded_minor        numeric(30,0) not null constraint card_authorizations_refunded check (refunded_minor between 0 and captured_minor),
  -- The part of the captures that no hold covered. It counts in the windows of its captures, the rest in those of the hold.
  forced_minor          numeric(30,0) not null constraint card_authorizations_forced check (forced_minor between 0 and captured_minor),
  merchant_name         text not null,
  merchant_mcc          text collate "C" not null,
  merchant_country      text collate "C" not null,
  created_at            timestamptz not null,
  expires_at            timestamptz not null,
  -- While the business's decision hook is asked: until when (on the real clock), and what applies after that. The hold stands.
  hook_due_at           timestamptz,
  hook_timeout_fallback text collate "C" check (hook_timeout_fallback in ('approve', 'decline')),
  -- The caller's Idempotency-Key whose reply is not stored yet.
  idempotency_id        text collate "C",
  primary key (business_id, uuid),
  constraint card_authorizations_declined check ((state = 'declined') = (decline_reason is not null)),
  constraint card_authorizations_held check ((state = 'pending') = (held_minor > 0))
);
-- For lists, and for the sums of a window when a card's zone changes.
create index card_authorizations_card on card_authorizations (business_id, card_id, created_at, uuid);
create index card_authorizations_expiring on card_authorizations (business_id, expires_at) where held_minor > 0;
create index card_authorizations_hook on card_authorizations (business_id, hook_due_at) where hook_due_at is not null;
-- By the reference first. Every decision looks its reference up, and with the statistics of a small table an index that begins with the
-- card would look no better than `card_authorizations_card`, in which all rows of the card are read.
create unique index card_authorizations_by_reference on card_authorizations (business_id, reference_id, card_id);
select quittance_tenant_table('card_authorizations');

-- Captures, refunds, reversals and expiries of authorizations.
create table card_operations (
  business_id        text collate "C" not null,
  id                 text collate "C" not null,
  authorization_uuid text collate "C" not null,
  card_id            text collate "C" not null,
  kind               text collate "C" not null check (kind in ('capture', 'refund', 'reversal', 'expiry')),
  reference_id       text collate "C",
  amount_minor       numeric(30,0) not null check (amount_minor > 0),
  -- The part of a capture that no hold covered.
  forced_minor       numeric(30,0) not null,
  created_at         timestamptz not null,
  -- The first response, for repeats of the reference_id.
  response           json,
  primary key (business_id, id),
  foreign key (business_id, authorization_uuid) references card_authorizations (business_id, uuid),
  constraint card_operations_response check ((reference_id is null) = (response is null))
);
create unique index card_operations_reference on card_operations (business_id, authorization_uuid, kind, reference_id)
  where reference_id is not null;
create index card_operations_authorization on card_operations (business_id, authorization_uuid);
-- Forced captures are summed by time when a card's zone changes.
create index card_operations_forced on card_operations (business_id, card_id, created_at) where forced_minor > 0;
select quittance_tenant_table('card_operations');

-- Whom a business asks before an authorization is approved: at most one.
create table card_decision_hooks (
  business_id      text collate "C" primary key,
  url              text not null,
  timeout_ms       integer not null check (timeout_ms between 1 and 2000),
  -- What applies when the hook does not answer in time.
  timeout_fallback text collate "C" not null check (timeout_fallback in ('approve', 'decline')),
  sealed_secret    text collate "C" not null,
  created_at       timestamptz not null
);
select quittance_tenant_table('card_decision_hooks');

-- What cards are found by (`quittance_name_terms`).
create table card_terms (
  business_id text collate "C" not null,
  term        text collate "C" not null,
  card_id     text collate "C" not null,
  primary key (business_id, term, card_id)
);
select quittance_tenant_table('card_terms');

-- Their words by what a word typed wrong has in common with them (`quittance_typo_keys`).
create table card_word_keys (
  business_id text collate "C" not null,
  key         text collate "C" not null,
  word        text collate "C" not null,
  primary key (business_id, key, word)
);
select quittance_tenant_table('card_word_keys');

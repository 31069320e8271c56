-- Up Migration

-- Cards that a business issues into its pool, and links to its users.
create table cards (
  business_id         text collate "C" not null,
  id                  text collate "C" not null,
  -- The caller's own; linking names the card by it.
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
  -- The user it is linked to; null while it is in the pool.
  p_user_id           text collate "C",
  -- Limits reset at midnight and at month's end of this zone.
  time_zone           text collate "C" not null,
  -- When the zone was set: windows of before have other bounds.
  zone_since          timestamptz not null,
  -- The card number under envelope encryption (platform/keyring.ts).
  sealed_number       text collate "C" not null,
  first_6             text collate "C" not null,
  last_4              text collate "C" not null,
  issuer_brand        text collate "C" not null,
  expiration_date     text collate "C" not null,
  -- The end of that month in the card's zone.
  expires_at          timestamptz not null,
  spending_controls   json not null,
  funding_wallet_id   text collate "C",
  created_at          timestamptz not null,
  updated_at          timestamptz not null
);
create unique index cards_reference_id on cards (business_id, reference_id);
-- Lists: newest first, ties by id.
create index cards_newest on cards (business_id, created_at, id);
-- A new number is compared with the few that end in the same digits: sealed numbers cannot be compared.
create index cards_last_4 on cards (business_id, last_4);
create index cards_expiring on cards (business_id, expires_at) where status not in ('Terminated', 'Expired');
-- The last of the indexes: while the table is new its statistics make all of them look the same, and PostgreSQL takes the
-- youngest. Every decision looks its card up here; in another index it would read all cards of the business.
alter table cards add primary key (business_id, id);
select quittance_tenant_table('cards');

-- What a card has used in the windows that its last operation lay in; a window that has passed counts as 0. Locking
-- this row is locking the card, its limits and its authorizations: whoever changes any of them locks it first.
-- Narrow and with room on the page, since every decision rewrites it.
create table card_usage (
  business_id    text collate "C" not null,
  card_id        text collate "C" not null,
  -- The card's time never runs back, though the clocks of two processes differ by milliseconds.
  last_at        timestamptz not null,
  daily_start    timestamptz not null,
  daily_end      timestamptz not null,
  daily_minor    numeric(30,0) not null default 0,
  daily_count    integer not null default 0,
  monthly_start  timestamptz not null,
  monthly_end    timestamptz not null,
  monthly_minor  numeric(30,0) not null default 0,
  monthly_count  integer not null default 0,
  lifetime_minor numeric(30,0) not null default 0,
  lifetime_count integer not null default 0,
  primary key (business_id, card_id),
  foreign key (business_id, card_id) references cards (business_id, id)
) with (fillfactor = 40);
select quittance_tenant_table('card_usage');

create table card_limits (
  business_id  text collate "C" not null,
  id           text collate "C" not null,
  card_id      text collate "C" not null,
  period       text collate "C" not null check (period in ('Daily', 'Monthly', 'Lifetime', 'Transaction')),
  amount_minor numeric(30,0) not null check (amount_minor >= 0),
  status       text collate "C" not null check (status in ('Active', 'Inactive')),
  -- Since when it binds as it stands: what was approved before may be above it.
  bound_since  timestamptz not null,
  created_at   timestamptz not null,
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

-- Decisions, declined ones too, and what became of the approved ones. No foreign key: its check would lock and unlock
-- the card's row once more for each decision, whose writer holds the card's lock already; cards are never deleted.
create table card_authorizations (
  business_id     text collate "C" not null,
  uuid            text collate "C" not null,
  card_id         text collate "C" not null,
  reference_id    text collate "C" not null,
  state           text collate "C" not null
                  check (state in ('pending', 'captured', 'refunded', 'reversed', 'expired', 'declined')),
  decline_reason  text collate "C",
  -- As asked for; another currency than the card's stands only on a declined one.
  currency        text collate "C" not null,
  amount_minor    numeric(30,0) not null,
  held_minor      numeric(30,0) not null check (held_minor >= 0),
  captured_minor  numeric(30,0) not null check (captured_minor >= 0),
  refunded_minor  numeric(30,0) not null check (refunded_minor between 0 and captured_minor),
  -- The part of what was captured that no hold covered. It counts in the windows of its captures, the rest in those of the hold.
  forced_minor    numeric(30,0) not null check (forced_minor between 0 and captured_minor),
  merchant_name   text not null,
  merchant_mcc    text collate "C" not null,
  merchant_country text collate "C" not null,
  created_at      timestamptz not null,
  expires_at      timestamptz not null,
  -- While the business's decision hook is asked: until when (the real clock), and what its silence means. The hold stands.
  hook_due_at     timestamptz,
  hook_on_silence text collate "C" check (hook_on_silence in ('approve', 'decline')),
  -- The caller's Idempotency-Key whose answer is still owed.
  idempotency_id  text collate "C",
  primary key (business_id, uuid),
  check ((state = 'declined') = (decline_reason is not null)),
  check ((state = 'pending') = (held_minor > 0))
);
-- Lists, and the sums of a window when a card's zone changes.
create index card_authorizations_card on card_authorizations (business_id, card_id, created_at, uuid);
create index card_authorizations_expiring on card_authorizations (business_id, expires_at) where held_minor > 0;
create index card_authorizations_hook on card_authorizations (business_id, hook_due_at) where hook_due_at is not null;
-- The last of the indexes, as with cards: every decision looks its reference up here; in the card's index it would read
-- all the card's rows.
create unique index card_authorizations_reference on card_authorizations (business_id, card_id, reference_id);
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
  -- Of a capture: how much of it no hold covered.
  forced_minor       numeric(30,0) not null,
  created_at         timestamptz not null,
  -- What was answered, for the same reference_id again.
  answer             json,
  primary key (business_id, id),
  foreign key (business_id, authorization_uuid) references card_authorizations (business_id, uuid),
  check ((reference_id is null) = (answer is null))
);
create unique index card_operations_reference
    on card_operations (business_id, authorization_uuid, kind, reference_id) where reference_id is not null;
create index card_operations_authorization on card_operations (business_id, authorization_uuid);
-- Forced captures are summed by time when a card's zone changes.
create index card_operations_forced on card_operations (business_id, card_id, created_at) where forced_minor > 0;
select quittance_tenant_table('card_operations');

-- Whom a business asks before an authorization is approved. At most one.
create table card_decision_hooks (
  business_id   text collate "C" primary key,
  url           text not null,
  timeout_ms    integer not null check (timeout_ms between 1 and 2000),
  on_silence    text collate "C" not null check (on_silence in ('approve', 'decline')),
  sealed_secret text collate "C" not null,
  created_at    timestamptz not null
);
select quittance_tenant_table('card_decision_hooks');

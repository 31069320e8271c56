-- Up Migration

-- Where a business wants its events. At most a hundred a business, so they are read whole wherever events are written.
create table webhook_endpoints (
  business_id            text collate "C" not null,
  id                     text collate "C" not null,
  url                    text not null,
  -- Event types; empty means all.
  types                  text[] not null,
  -- `disabled`: the receiver answered 410.
  state                  text collate "C" not null check (state in ('active', 'disabled')),
  -- Under envelope encryption (platform/keyring.ts). The previous one signs beside it until then (the real clock).
  sealed_secret          text collate "C" not null,
  sealed_previous_secret text collate "C",
  previous_until         timestamptz,
  created_at             timestamptz not null,
  primary key (business_id, id),
  check ((sealed_previous_secret is null) = (previous_until is null))
);
select quittance_tenant_table('webhook_endpoints');

-- One row for each event and receiver, written in the event's transaction; which is why it needs no foreign key to it.
create table deliveries (
  business_id  text collate "C" not null,
  -- Sorts by real time of making: lists and the purge go by it.
  id           text collate "C" not null,
  event_id     text collate "C" not null,
  object_id    text collate "C" not null,
  sequence     integer not null,
  url          text not null,
  -- The receiver: its host, a space, the hash of its URL. Claims walk from lane to lane, so that the backlog of one
  -- receiver is stepped over at the cost of one look-up.
  lane         text collate "C" not null,
  -- Null for notify_url and callback_url, which the business's own secret signs for.
  endpoint_id  text collate "C",
  state        text collate "C" not null check (state in ('pending', 'delivered', 'exhausted')),
  -- False once it was asked for again: then it neither waits for others nor holds them up.
  in_order     boolean not null default true,
  -- As lists show them.
  attempts     jsonb not null default '[]',
  -- Attempts of the present round; a redelivery begins a new one.
  tries        smallint not null default 0,
  -- When it is tried next, on the business's clock; null while an earlier event of the object waits for the same receiver.
  due_at       timestamptz,
  -- Until when a process is at it, on the real clock, and which.
  leased_until timestamptz,
  lease_id     text collate "C",
  -- On the real clock: what is kept for 30 days.
  made_at      timestamptz not null,
  primary key (business_id, id),
  check (state = 'pending' or due_at is null)
)
-- Room on the page for the lease, which touches no index.
with (fillfactor = 80);
create index deliveries_lane on deliveries (business_id, lane, due_at) where due_at is not null;
create index deliveries_due on deliveries (business_id, due_at) where due_at is not null;
-- What waits for an object and a receiver, in order.
create index deliveries_queue on deliveries (business_id, object_id, lane, sequence, id)
  where state = 'pending' and in_order;
create index deliveries_event on deliveries (business_id, event_id, id);
-- Lists by state: nearly all are delivered, those need no index.
create index deliveries_state on deliveries (business_id, state, id) where state <> 'delivered';
select quittance_tenant_table('deliveries');

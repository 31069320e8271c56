-- Up Migration

-- Where a business wants its events. A hundred at most, so all are read wherever events are written.
create table webhook_endpoints (
  business_id            text collate "C" not null,
  id                     text collate "C" not null,
  url                    text not null,
  -- Of events; empty means all.
  types                  text[] not null,
  -- `disabled`: the receiver answered 410.
  state                  text collate "C" not null check (state in ('active', 'disabled')),
  -- Encrypted (platform/security). After a rotation the previous one signs beside it until `previous_until` (on the real clock).
  sealed_secret          text collate "C" not null,
  sealed_previous_secret text collate "C",
  previous_until         timestamptz,
  created_at             timestamptz not null,
  primary key (business_id, id),
  constraint webhook_endpoints_previous_secret check ((sealed_previous_secret is null) = (previous_until is null))
);
select quittance_tenant_table('webhook_endpoints');

-- One row for each event and receiver, written in the event's transaction, so it needs no foreign key to it. A partition for each month,
-- which is dropped whole (docs/decisions/partitions-of-deliveries).
create table deliveries (
  business_id  text collate "C" not null,
  -- Begins with the real time: lists and partitions go by it.
  id           text collate "C" not null,
  event_id     text collate "C" not null,
  object_id    text collate "C" not null,
  sequence     integer not null,
  url          text not null,
  -- Its host, a space, the hash of its URL. Claims walk from receiver to receiver, so that the backlog of one is stepped over by one
  -- look-up.
  receiver     text collate "C" not null,
  -- Null for notify_url and callback_url, for which the business's own secret signs.
  endpoint_id  text collate "C",
  state        text collate "C" not null check (state in ('pending', 'delivered', 'exhausted')),
  -- False after a request to deliver it again: it neither waits for others nor holds them up.
  in_order     boolean not null default true,
  -- As lists show them.
  attempts     jsonb not null default '[]',
  -- Attempts since the event or the last request to deliver it again.
  tries        smallint not null default 0,
  -- When it is tried next, on the business's clock. Null while an earlier event of the object waits for the same receiver.
  due_at       timestamptz,
  -- On the real clock.
  leased_until timestamptz,
  lease_id     text collate "C",
  -- On the real clock.
  created_at   timestamptz not null,
  primary key (business_id, id),
  constraint deliveries_ended check (state = 'pending' or due_at is null)
) partition by range (id);
create index deliveries_receiver on deliveries (business_id, receiver, due_at) where due_at is not null;
create index deliveries_due on deliveries (business_id, due_at) where due_at is not null;
-- Without `id`: PostgreSQL 18 would take an index that ends with it for look-ups by id, and skip through all deliveries of the business
-- (14 ms for a batch of 200 of 15,000). An event has a hundred deliveries at most, which are sorted when they are listed.
create index deliveries_event on deliveries (business_id, event_id);
-- Nearly all are delivered, and need no index.
create index deliveries_state on deliveries (business_id, state, id) where state <> 'delivered';
-- What waits for an object and a receiver, in order. The youngest index, so that the planner takes it where all of them look the same to
-- it, as in a small table or after a restore: in `deliveries_state` each look at the queue of an object read all that was pending (0.5 s
-- for each order beside 300,000 deliveries to a dead receiver).
create index deliveries_queue on deliveries (business_id, object_id, receiver, sequence, id)
  where state = 'pending' and in_order;
select quittance_tenant_table('deliveries');
-- What is in no month's partition. The rows of a page are leased at about the same time, so each needs room there for its second version;
-- without it the lease would write every index (half of all that a delivery writes to the log).
create table deliveries_default partition of deliveries default with (fillfactor = 50);
select quittance_hide_other_tenants('deliveries_default');

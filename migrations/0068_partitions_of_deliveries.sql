-- Up Migration

-- Deliveries get a partition for each month of their ids, which begin with the time. The table of before becomes the default
-- partition: nothing is read or copied.
-- Needs programs from 0053, because `deliveries` is found by its name as before, and takes the same statements.
alter table deliveries rename to deliveries_before;
alter index deliveries_pkey rename to deliveries_before_pkey;
alter index deliveries_receiver rename to deliveries_before_receiver;
alter index deliveries_due rename to deliveries_before_due;
alter index deliveries_queue rename to deliveries_before_queue;
alter index deliveries_event rename to deliveries_before_event;
alter index deliveries_state rename to deliveries_before_state;
create table deliveries (like deliveries_before including defaults including constraints) partition by range (id);
alter table deliveries add constraint deliveries_pkey primary key (business_id, id);
create index deliveries_receiver on deliveries (business_id, receiver, due_at) where due_at is not null;
create index deliveries_due on deliveries (business_id, due_at) where due_at is not null;
create index deliveries_queue on deliveries (business_id, object_id, receiver, sequence, id)
  where state = 'pending' and in_order;
create index deliveries_event on deliveries (business_id, event_id);
create index deliveries_state on deliveries (business_id, state, id) where state <> 'delivered';
select quittance_tenant_table('deliveries');
alter table deliveries attach partition deliveries_before default;

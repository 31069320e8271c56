-- Up Migration

-- What disputes lost of an order was known of orders of plans only, so that of others it could be refunded once more.
alter table orders add column lost_minor numeric(30, 0);
comment on column orders.lost_minor is 'What disputes of its payments lost, so that it is not given back; null for none.';
comment on column recurring_orders.lost_minor is 'No longer used: orders have it.';
-- Of several lost disputes of an order one counts, because Citus refuses a sum here.
update orders o
   set lost_minor = d.amount_minor
  from disputes d
 where d.business_id = o.business_id and d.order_id = o.id and d.state = 'lost' and d.currency = o.currency;
-- These were added up as they were lost.
update orders o
   set lost_minor = r.lost_minor
  from recurring_orders r
 where r.business_id = o.business_id and r.order_id = o.id and r.lost_minor > o.lost_minor;

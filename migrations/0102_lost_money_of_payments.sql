-- Up Migration

-- What disputes lost was known of orders only, so that another payment of the order, or the lost one itself, gave it back.
alter table transactions add column lost_minor numeric(30, 0);
comment on column transactions.lost_minor is 'What disputes of the payment lost, so that it is not given back; null for none.';
comment on column orders.lost_minor is 'No longer used: transactions have it.';
-- Of several lost disputes of a payment one counts, because Citus refuses a sum here.
update transactions t
   set lost_minor = case when d.currency = t.currency then d.amount_minor else abs(t.amount_minor) end
  from disputes d
 where d.business_id = t.business_id and d.transaction_id = t.id and d.state = 'lost';

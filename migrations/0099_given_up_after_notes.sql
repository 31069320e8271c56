-- Up Migration

-- A note that credited what a write-off had left of an unpaid invoice made it paid.
update invoices i
   set state = 'uncollectible', uncollectible_at = i.updated_at
  from orders o
 where i.type = 'invoice' and i.state = 'paid'
   and o.business_id = i.business_id and o.id = i.order_id and o.state = 'voided' and o.written_off_minor > 0;

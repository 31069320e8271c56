-- Up Migration

-- Reports ask what became of an order's overpayment.
create index recurring_credits_moved_from on recurring_credits (business_id, moved_from) where moved_from is not null;

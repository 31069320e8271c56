-- Up Migration

-- A report of a past day has what was open then. Written once, so that later changes of the document do not move it.
alter table invoices add column uncollectible_at timestamptz;
comment on column invoices.uncollectible_at is 'When the claim was given up, on the business''s clock; null for others.';
update invoices set uncollectible_at = updated_at where state = 'uncollectible';

-- Finds what is open, and what was at the end of a day: since then it has changed. Those that are open come last.
create index invoices_open_until on invoices
  (business_id, (case when state = 'open' then '9999-12-31T00:00:00Z'::timestamptz else updated_at end), id)
  where type = 'invoice';

comment on column invoices.copy is
  'Seller, buyer, lines, taxes and notes as they were. Since 0058 rates and taxes have country, region and category of the rate where these differ from the document''s place, the whole country and every category; a tax stands once for each of them.';

-- Up Migration

-- The name says what the column holds: the caller's `default`, null when the request had none.
alter table payment_tokens rename column wants_default to default_requested;

-- Failed tokens are deleted 30 days after they failed, oldest first.
create index payment_tokens_failed on payment_tokens (business_id, updated_at, token) where state = 'failed';

-- The foreign key of default tokens looks up each deleted token here. Without an index it reads all customers.
create index customers_default_token on customers (business_id, default_token) where default_token is not null;

-- Starts the purge for tokens that failed before this migration.
insert into next_runs (business_id, job, due_at)
select distinct business_id, 'failed_payment_token_purge', now() from payment_tokens where state = 'failed'
on conflict do nothing;

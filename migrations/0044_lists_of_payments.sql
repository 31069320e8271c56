-- Up Migration

-- Lists are filtered by amount, state, decline code and the last digits of a card, and row-level security keeps an index from
-- being used by an operator that is not leakproof (numeric_eq and ->> are not). Hence these columns. None of them changes
-- when a payment succeeds, so the update of a payment still touches no index. Adding them rewrites both tables.

-- Ten-thousandths of the currency's unit, without the sign: one number for the same amount in all currencies. Null beyond
-- 10^14 minor units.
create function quittance_amount_key(currency text, minor numeric) returns bigint
  language sql immutable parallel safe
  return case when abs(minor) < 1e14 then (abs(minor) * case
    when currency in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND', 'VUV',
                      'XAF', 'XOF', 'XPF') then 10000
    when currency in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') then 10
    when currency in ('CLF', 'UYW') then 1
    else 100 end)::bigint end;

alter table orders
  add column amount_key bigint generated always as (quittance_amount_key(currency, initial_total_minor)) stored,
  add column closed_state text collate "C"
    generated always as (case when state in ('refunded', 'voided', 'expired') then state end) stored;
create index orders_amount on orders (business_id, amount_key, created_at, id);
create index orders_closed on orders (business_id, closed_state, created_at, id) where closed_state is not null;

alter table transactions
  add column amount_key bigint generated always as (quittance_amount_key(currency, amount_minor)) stored,
  add column last_4 text collate "C" generated always as (instrument->>'last4') stored,
  -- Every state but those that nearly all transactions pass through.
  add column notable_state text collate "C"
    generated always as (case when state not in ('initiated', 'succeeded') then state end) stored,
  add column decline_code text collate "C" generated always as (
    case when state = 'failed' then coalesce(answer->>'declineCode', nullif(answer->>'responseCode', ''), answer->>'failure')
    end) stored;
create index transactions_newest on transactions (business_id, created_at, id);
create index transactions_amount on transactions (business_id, amount_key, created_at, id);
create index transactions_last_4 on transactions (business_id, last_4, created_at, id) where last_4 is not null;
create index transactions_notable on transactions (business_id, notable_state, created_at, id) where notable_state is not null;
create index transactions_declined on transactions (business_id, decline_code, created_at, id) where decline_code is not null;
create index transactions_of_type on transactions (business_id, type, created_at, id) where type <> 'Sales';
create index transactions_account on transactions (business_id, acquirer_account_id, created_at, id)
  where acquirer_account_id <> 'simulator';

-- Up Migration

-- What disputes and settlement reports of a real acquirer call a transaction, and when its money moved. In a table of its own, so that
-- an outcome changes no index of the transactions.
create table acquirer_transactions (
  business_id            text collate "C" not null,
  transaction_id         text collate "C" not null,
  account_id             text collate "C" not null,
  gateway_transaction_id text collate "C",
  rrn                    text collate "C",
  -- When it succeeded; null for an Authorization, which moves no money.
  moved_at               timestamptz,
  primary key (business_id, transaction_id)
);
create index acquirer_transactions_gateway_id on acquirer_transactions (business_id, account_id, gateway_transaction_id);
create index acquirer_transactions_rrn on acquirer_transactions (business_id, account_id, rrn) where rrn is not null;
create index acquirer_transactions_movements on acquirer_transactions (business_id, account_id, moved_at, transaction_id)
  where moved_at is not null;
select quittance_tenant_table('acquirer_transactions');

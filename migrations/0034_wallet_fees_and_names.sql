-- Up Migration

-- A fee may exceed the value of its deposit. Earlier deposits keep the fee that was capped at it; the flag lets
-- `quittance verify` recalculate them.
alter table wallet_transactions
  drop constraint wallet_transactions_check,
  add constraint wallet_transactions_calculated_fee_minor_check check (calculated_fee_minor >= 0),
  add column fee_capped boolean not null default false;
update wallet_transactions set fee_capped = true where calculated_fee_minor = amount_in_usd_minor;

-- The column says which state of the transfer has been published to its tenant.
alter table chain_transfers rename column told to published_state;
alter table chain_transfers rename constraint chain_transfers_told_check to chain_transfers_published_state_check;
alter index chain_transfers_open rename to chain_transfers_unpublished;

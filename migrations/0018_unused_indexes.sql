-- Up Migration

-- No look-up of ours uses these; each row of the ledger wrote one of them.
drop index wallet_entries_object;
drop index wallet_holds_wallet;
drop index apps_business;

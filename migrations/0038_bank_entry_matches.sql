-- Up Migration

-- Entries are never deleted, and an import checked and locked each of them once more, by whatever index seemed good while the table was
-- small. `verify` finds a match without its entry.
alter table bank_entry_matches drop constraint bank_entry_matches_business_id_entry_id_fkey;

-- Up Migration

-- A return takes back the credit of the payer whom it names. Returns that were read before name nobody.
alter table bank_entries
  -- The IBAN to which a return gave the money back.
  add column returned_to text collate "C";

-- Finds the entry of a statement without an account in one with an account. A bank's reference may be longer than an index holds.
create index bank_entries_reference on bank_entries (business_id, (left(bank_reference, 255) collate "C"), booking_date, amount_minor)
  where bank_reference is not null;
create index bank_entries_newest_returns on bank_entries (business_id, created_at, id) where kind = 'return';

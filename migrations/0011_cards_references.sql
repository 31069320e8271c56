-- Up Migration

-- By the reference first. Every decision looks its reference up; while the statistics are those of a small table, an index
-- that begins with the card looks no better for it than the card's own, in which all the card's rows are read.
create unique index card_authorizations_by_reference on card_authorizations (business_id, reference_id, card_id);
drop index card_authorizations_reference;

-- Up Migration
-- Needs programs from 0040
-- An older program finds transactions by these columns, whose indexes go with them.

alter table transactions drop column gateway_transaction_id, drop column rrn, drop column moved_at;

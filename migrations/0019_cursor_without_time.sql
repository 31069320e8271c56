-- Up Migration

-- Written with each window and read by nothing; a reorganisation left it at a block that the chain no longer has.
alter table watched_chains drop column cursor_time;

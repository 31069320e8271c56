-- Up Migration

-- An erasure looks through the saved views of lists from the node of its tenant. `migrate` moves the table when all migrations have run.
update placements set placement = 'coordinator' where name = 'user_list_settings';

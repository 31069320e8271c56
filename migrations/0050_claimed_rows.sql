-- Up Migration

-- A claim still moves `due_at` to the end of the lease, so that a program before 0050 takes no row that is leased.
alter table dispute_refreshes add column leased_until timestamptz, add column lease_id text collate "C";
alter table dispute_scans add column leased_until timestamptz, add column lease_id text collate "C";
alter table reconciliation_runs add column leased_until timestamptz, add column lease_id text collate "C";

comment on column dispute_refreshes.due_at is 'On the real clock; while the row is leased, the end of the lease. A notice makes it due at once.';
comment on column dispute_refreshes.leased_until is 'On the real clock; null while nobody has the lease.';
comment on column dispute_refreshes.lease_id is 'Names the last lease; it holds while due_at is its end.';
comment on column dispute_scans.due_at is 'On the real clock; while the row is leased, the end of the lease.';
comment on column dispute_scans.leased_until is 'On the real clock; null while nobody has the lease.';
comment on column dispute_scans.lease_id is 'Names the lease; null while nobody has it.';
comment on column reconciliation_runs.due_at is 'On the real clock; while the row is leased, the end of the lease.';
comment on column reconciliation_runs.leased_until is 'On the real clock; null while nobody has the lease.';
comment on column reconciliation_runs.lease_id is 'Names the lease; null while nobody has it.';

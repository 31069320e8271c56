-- Up Migration

-- Numbers that no document has, because a recovery skipped them: the lost time may have given them.
alter table invoice_sequences add column recovered int8multirange not null default '{}';

-- How many numbers recoveries skip of sequences that the database does not have yet: the lost time may have begun them.
create table invoice_recoveries (
  business_id     text collate "C" not null,
  legal_entity_id text collate "C" not null,
  numbers         bigint not null check (numbers > 0),
  -- The last local year that the lost time reached; null where the clock can be moved, and so may have reached any year.
  last_year       integer,
  primary key (business_id, legal_entity_id)
);
select quittance_tenant_table('invoice_recoveries');

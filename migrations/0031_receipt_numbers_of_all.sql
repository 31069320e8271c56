-- Up Migration

-- `receipt_id` counts over all businesses, so that a number names one transaction of the whole service. The count goes on
-- above every number that a business was given.
create table receipt_numbers (
  only_row    boolean primary key default true check (only_row),
  next_number bigint not null
);
select quittance_shared_table('receipt_numbers');
insert into receipt_numbers (next_number) select coalesce(max(next_number), 100000) from receipt_counters;
drop table receipt_counters;

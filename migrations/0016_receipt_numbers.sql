-- Up Migration

-- `receipt_id` counts per business. From one sequence for all, a business's own receipts told it how many payments the
-- others had. Processes fetch numbers in blocks (payments/receipt-numbers.ts).
create table receipt_counters (
  business_id text collate "C" primary key,
  next_number bigint not null
);
select quittance_tenant_table('receipt_counters');
insert into receipt_counters select business_id, max(receipt_number) + 1 from transactions group by business_id;
alter table transactions alter column receipt_number drop default;
drop sequence payment_receipts;

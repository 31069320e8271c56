-- Up Migration

alter table recurring_orders add column paid_first text;

comment on column recurring_orders.paid_first is
  'Of the order of a change that takes place only if it is paid: waiting until the order is paid or voided, then applied or dropped. Null for other orders.';

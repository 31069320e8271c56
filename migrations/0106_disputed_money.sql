-- Up Migration

-- What disputes took of payments and gave back, day by day, so that books agree with what the acquirer pays out.
create table disputed_money (
  business_id    text collate "C" not null,
  id             text collate "C" not null,
  dispute_id     text collate "C" not null,
  order_id       text collate "C" not null,
  transaction_id text collate "C" not null,
  currency       text collate "C" not null,
  amount_minor   numeric(30,0) not null,
  date           date not null,
  created_at     timestamptz not null,
  counted_at     timestamptz not null,
  primary key (business_id, id)
);
create index disputed_money_date on disputed_money (business_id, date);
create index disputed_money_order on disputed_money (business_id, order_id);
select quittance_tenant_table('disputed_money');
comment on column disputed_money.transaction_id is 'The payment.';
comment on column disputed_money.amount_minor is 'In minor units of `currency`, which is the payment''s; negative for what was taken.';
comment on column disputed_money.date is 'The local day on which it counts: that on which it was learned, or the first open one.';
comment on column disputed_money.created_at is 'On the business''s clock.';
comment on column disputed_money.counted_at is 'On the real clock.';

-- What disputes hold already counts on the day on which they were opened, or on the first open one.
insert into disputed_money (business_id, id, dispute_id, order_id, transaction_id, currency, amount_minor, date, created_at, counted_at)
select d.business_id, 'dmv_' || md5(d.id), d.id, d.order_id, d.transaction_id, t.currency,
       -case when d.currency = t.currency then d.amount_minor else abs(t.amount_minor) end,
       greatest((d.created_at at time zone b.time_zone)::date, s.locked_until + 1), now(), now()
  from disputes d
  join transactions t on t.business_id = d.business_id and t.id = d.transaction_id
  join businesses b on b.business_id = d.business_id
  left join billing_settings s on s.business_id = d.business_id
 where d.state in ('needs_response', 'under_review', 'lost');

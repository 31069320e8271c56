-- Up Migration

-- What changed the totals of a day and is not counted yet. Written with the outcome, and deleted in the transaction that adds
-- it to the day: a cursor over events would miss those that commit late. `day_at` is on the business's clock.
create table report_facts (
  business_id               text collate "C" not null,
  id                        text collate "C" not null,
  day_at                    timestamptz not null,
  currency                  text collate "C" not null,
  paid_minor                numeric(30,0) not null,
  refunded_minor            numeric(30,0) not null,
  orders_paid               integer not null,
  approved                  integer not null,
  declined                  integer not null,
  -- Of a declined payment: its code and amount.
  decline_code              text collate "C",
  declined_minor            numeric(30,0) not null,
  recurring_paid_minor      numeric(30,0) not null,
  dunning_recovered_minor   numeric(30,0) not null,
  dunning_attempted_minor   numeric(30,0) not null,
  -- On the real clock.
  queued_at                 timestamptz not null default now(),
  primary key (business_id, id)
);
select quittance_tenant_table('report_facts');

create table report_days (
  business_id               text collate "C" not null,
  currency                  text collate "C" not null,
  day                       date not null,
  paid_minor                numeric(30,0) not null,
  refunded_minor            numeric(30,0) not null,
  orders_paid               bigint not null,
  approved                  bigint not null,
  declined                  bigint not null,
  recurring_paid_minor      numeric(30,0) not null,
  dunning_recovered_minor   numeric(30,0) not null,
  dunning_attempted_minor   numeric(30,0) not null,
  primary key (business_id, currency, day)
);
select quittance_tenant_table('report_days');

create table report_declines (
  business_id    text collate "C" not null,
  currency       text collate "C" not null,
  day            date not null,
  decline_code   text collate "C" not null,
  count          bigint not null,
  declined_minor numeric(30,0) not null,
  primary key (business_id, currency, day, decline_code)
);
select quittance_tenant_table('report_declines');

-- The last count of a business's plans. Whoever looks at it makes it due again.
create table report_plans (
  business_id text collate "C" primary key,
  totals      json,
  counted_at  timestamptz,
  due_at      timestamptz
);
create index report_plans_due on report_plans (business_id, due_at) where due_at is not null;
select quittance_tenant_table('report_plans');

-- What needs a person, oldest first.
create index disputes_due on disputes (business_id, respond_by)
  where submitted_at is null and state in ('needs_response', 'inquiry_needs_response');
create index recurring_plans_uncollectible on recurring_plans (business_id, suspended_at) where uncollectible;

-- Days before this migration.
insert into report_days
select t.business_id, t.currency, t.day, sum(t.paid), sum(t.refunded), 0, sum(t.approved), sum(t.declined), sum(t.recurring), 0, 0
  from (select t.business_id, t.currency, (t.succeeded_at at time zone b.time_zone)::date as day,
               case when t.type <> 'Refund' then t.amount_minor else 0 end as paid,
               case when t.type = 'Refund' then -t.amount_minor else 0 end as refunded, 0 as approved, 0 as declined,
               case when t.type <> 'Refund' and o.type = 'recurring' then t.amount_minor else 0 end as recurring
          from transactions t
          join businesses b on b.business_id = t.business_id
          join orders o on o.business_id = t.business_id and o.id = t.order_id
         where t.type <> 'Authorization' and t.state = 'succeeded'
        union all
        select t.business_id, t.currency, (t.created_at at time zone b.time_zone)::date, 0, 0,
               case when t.succeeded_at is null then 0 else 1 end, case when t.state = 'failed' then 1 else 0 end, 0
          from transactions t
          join businesses b on b.business_id = t.business_id
         where t.type in ('Sales', 'Authorization') and (t.succeeded_at is not null or t.state = 'failed')) t
 group by t.business_id, t.currency, t.day;
insert into report_declines
select t.business_id, t.currency, (t.created_at at time zone b.time_zone)::date, t.answer ->> 'responseCode', count(*),
       sum(t.amount_minor)
  from transactions t
  join businesses b on b.business_id = t.business_id
 where t.type in ('Sales', 'Authorization') and t.state = 'failed'
 group by 1, 2, 3, 4;

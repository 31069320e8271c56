-- Up Migration

alter table legal_entities add column currency text collate "C";
comment on column legal_entities.currency is 'ISO 4217: in which the entity reports its tax. Null where documents need no other currency than their own.';

-- Rates that the business gave, by which the tax of documents is expressed in the currency of their seller.
create table exchange_rates (
  business_id text collate "C" not null,
  base        text collate "C" not null,
  quote       text collate "C" not null,
  -- A local date, from which the rate is used for up to seven days.
  date        date not null,
  -- One unit of base in quote.
  rate        numeric(27,12) not null constraint exchange_rates_positive check (rate > 0),
  updated_at  timestamptz not null,
  primary key (business_id, base, quote, date)
);
select quittance_tenant_table('exchange_rates');
comment on column exchange_rates.updated_at is 'On the business''s clock.';

-- The list of rates, newest first.
create index exchange_rates_by_date on exchange_rates (business_id, date, (base || '-' || quote));

-- Of a document whose tax is still to be expressed in the seller's currency, what finds its rate; null of all others.
alter table invoices add column rate_missing_on date;
alter table invoices add column rate_missing_to text collate "C";
comment on column invoices.rate_missing_on is 'The local date of a rate that was not known at the issue; null once it is, and for documents that need none.';
comment on column invoices.rate_missing_to is 'The currency of the seller that this rate is missing for; null when rate_missing_on is.';
create index invoices_rate_missing on invoices (business_id, created_at, id) where rate_missing_on is not null;

comment on column invoices.copy is
  'Seller, buyer, lines, taxes and notes as they were. Since 0058 rates and taxes have country, region and category of the rate where these differ from the document''s place, the whole country and every category; a tax stands once for each of them. Since 0062 the tax in the currency of the seller, where that is another: exchange {currency, date, rate, tax}, and each tax has converted and converted_base.';

-- Up Migration

-- What the documents of a day that is over sum to, so that a report of a year reads 365 rows. Written when a report first asks for the day.
create table invoice_tax_days (
  business_id text collate "C" not null,
  day         date not null,
  sums        jsonb not null,
  primary key (business_id, day)
);
select quittance_tenant_table('invoice_tax_days');
comment on column invoice_tax_days.day is 'The local date on which the documents were issued.';
comment on column invoice_tax_days.sums is 'Rows of the report of taxes: {legal_entity_id, currency, country, region, treatment, name, percentage, category, net, tax, documents, tax_currency, converted_net, converted_tax}, in minor units, credit notes negative.';

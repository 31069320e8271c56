-- Up Migration

-- A rate that taxed nothing may end on the day before its first: it then holds on no day.
alter table tax_rates drop constraint tax_rates_dates;
comment on column tax_rates.valid_until is 'Inclusive. On the day before valid_from the rate holds on no day.';

alter table legal_entities add column electronic_address jsonb;
alter table legal_entities add column contact jsonb;
comment on column legal_entities.electronic_address is 'Where electronic invoices reach the seller: {scheme, value}, a code of the list EAS.';
comment on column legal_entities.contact is 'Whom buyers ask about invoices: {name, phone, email}.';
comment on column legal_entities.bank is '{iban} or {accountNumber, bankCode, branchCode}, and bic, bankName, accountHolder, fpsId; null without an account on invoices.';

alter table billing_details add column electronic_address jsonb;
comment on column billing_details.electronic_address is 'Where electronic invoices reach the customer: {scheme, value}, a code of the list EAS.';

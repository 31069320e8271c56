-- Up Migration

-- What is mailed to payers. A row is written in the transaction of its cause.
create table messages (
  business_id   text collate "C" not null,
  id            text collate "C" not null,
  kind          text collate "C" not null,
  state         text collate "C" not null check (state in ('queued', 'sent', 'failed', 'kept', 'dropped', 'suppressed', 'bounced', 'complained')),
  object_id     text collate "C" not null,
  cause         text collate "C" not null,
  customer_uuid text collate "C" not null,
  recipient     text,
  language      text collate "C" not null,
  facts         jsonb,
  document_ids  text[] not null default '{}',
  subject       text,
  html          text,
  body          text,
  attachments   jsonb,
  reached       text[] not null default '{}',
  tries         integer not null default 0,
  first_try_at  timestamptz,
  error         text,
  resent_from   text collate "C",
  created_at    timestamptz not null,
  sent_at       timestamptz,
  due_at        timestamptz,
  leased_until  timestamptz,
  lease_id      text collate "C",
  primary key (business_id, id)
);
create unique index messages_cause on messages (business_id, object_id, kind, cause);
create index messages_created on messages (business_id, created_at, id);
create index messages_customer on messages (business_id, customer_uuid, created_at, id);
create index messages_due on messages (business_id, due_at) where due_at is not null;
create index messages_undelivered on messages (business_id, created_at, id) where state in ('failed', 'bounced');
select quittance_tenant_table('messages');
comment on column messages.object_id is 'The order''s number, or the id of the document, plan, token or session that it is about.';
comment on column messages.cause is 'Which cause of this kind and object: '''' where there is one only, else the failed transaction, the date or the message that was sent again.';
comment on column messages.recipient is 'The address to which it goes; null once the customer is erased.';
comment on column messages.facts is 'What the cause knew: amounts, dates, the ids of order and plan. Null once the customer is erased.';
comment on column messages.document_ids is 'The invoices and credit notes that are attached as PDF.';
comment on column messages.subject is 'As rendered at the first try or when it was kept; null before. So are html, body and attachments.';
comment on column messages.body is 'The alternative without HTML.';
comment on column messages.attachments is '[{name, content_type, size}].';
comment on column messages.reached is 'The addresses, also of copies, whose mail server has accepted it or refused it for good.';
comment on column messages.tries is 'How often a mail server was asked to take it.';
comment on column messages.first_try_at is 'On the business''s clock: it fails a day later.';
comment on column messages.error is 'What the mail server last said.';
comment on column messages.resent_from is 'The message that this one repeats.';
comment on column messages.created_at is 'On the business''s clock.';
comment on column messages.sent_at is 'On the business''s clock.';
comment on column messages.due_at is 'When it is to be rendered or sent, on the business''s clock; null when nothing is left to do.';
comment on column messages.leased_until is 'On the real clock.';

-- Which messages a business sends, and how.
create table message_settings (
  business_id     text collate "C" not null primary key,
  enabled         text[] not null,
  reply_to        text,
  language        text,
  renewal_days    integer not null check (renewal_days between 1 and 90),
  deliver_in_test boolean not null,
  bcc             text,
  join_receipt    boolean not null,
  updated_at      timestamptz not null
);
select quittance_tenant_table('message_settings');
comment on column message_settings.enabled is 'The kinds that are made.';
comment on column message_settings.language is 'Of customers who have none; null: English.';
comment on column message_settings.renewal_days is 'How many days before a long period renews its payer is told.';
comment on column message_settings.deliver_in_test is 'Whether a test environment sends; otherwise it keeps its messages.';
comment on column message_settings.bcc is 'Gets a copy of each message.';
comment on column message_settings.join_receipt is 'Whether the invoice and the receipt of one payment are one message.';
comment on column message_settings.updated_at is 'On the business''s clock.';

-- The business's own texts.
create table message_templates (
  business_id text collate "C" not null,
  kind        text collate "C" not null,
  language    text collate "C" not null,
  subject     text,
  intro       text,
  outro       text,
  updated_at  timestamptz not null,
  primary key (business_id, kind, language)
);
select quittance_tenant_table('message_templates');
comment on column message_templates.subject is 'Replaces the built-in text; null: that stays. So do intro and outro.';
comment on column message_templates.updated_at is 'On the business''s clock.';

-- Addresses to which nothing, or nothing optional, is mailed any more.
create table suppressions (
  business_id text collate "C" not null,
  address     text collate "C" not null,
  kind        text collate "C" not null check (kind in ('hard', 'complaint', 'unsubscribe')),
  created_at  timestamptz not null,
  primary key (business_id, address)
);
create index suppressions_created on suppressions (business_id, created_at, address);
select quittance_tenant_table('suppressions');
comment on column suppressions.address is 'In lower case.';
comment on column suppressions.kind is 'A hard bounce stops every message; a complaint and an unsubscription stop those of the optional kinds.';
comment on column suppressions.created_at is 'On the business''s clock.';

-- When a dated message may have to be made. Whoever looks then reads whether its cause still stands.
create table message_wakes (
  business_id  text collate "C" not null,
  kind         text collate "C" not null,
  object_id    text collate "C" not null,
  due_at       timestamptz not null,
  step         integer not null default 0,
  leased_until timestamptz,
  primary key (business_id, kind, object_id)
);
create index message_wakes_due on message_wakes (business_id, due_at);
select quittance_tenant_table('message_wakes');
comment on column message_wakes.object_id is 'The id of the order or plan.';
comment on column message_wakes.due_at is 'On the business''s clock.';
comment on column message_wakes.step is 'How many reminders of the order were due before.';
comment on column message_wakes.leased_until is 'On the real clock.';

alter table billing_details add column cc text[];
comment on column billing_details.cc is 'Who gets copies of the customer''s messages; null: nobody.';

alter table customers add column messages_off text[];
comment on column customers.messages_off is 'The kinds of messages that the customer does not get; null: none.';

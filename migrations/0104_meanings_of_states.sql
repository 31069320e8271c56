-- Up Migration

comment on column orders.source is 'Who created it: a merchant through the API, the billing of a plan, or a payment link.';
comment on column messages.state is 'queued until it is sent; kept: a test environment shows it and never sends it; dropped: its cause had gone before it was sent; suppressed: the recipient gets no such messages; bounced and complained: what the recipient''s side reported after it was sent; failed: given up after retries.';
comment on column bulk_action_items.state is 'A row is pending or failed; one that succeeded is deleted.';
comment on column apple_pay_domain_files.state is 'What the last registration led to; no_domain: the pages are at no public name, so there was nothing to register.';
comment on column card_operations.kind is 'capture and refund move money; reversal and expiry release what is held.';
comment on column recurring_orders.state is 'open while the order is to be paid; voided with the order, or at the end of its grace.';
comment on column exchange_rates.base is 'One unit of it is worth `rate` units of `quote`.';
comment on column exchange_rates.quote is 'The currency that `rate` is in.';

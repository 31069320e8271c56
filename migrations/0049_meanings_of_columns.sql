-- Up Migration

comment on column events.id is 'Begins with the real time.';
comment on column events.object_id is 'What changed: an order, a plan, a customer and so on.';
comment on column events.type is 'Such as `order.paid` (reference/events#types).';
comment on column events.bundle_id is 'The row of event_bundles that has the document; null if `data` has it.';

comment on column idempotency_keys.app_id is 'The caller''s app; `checkout` for the hosted pages.';
comment on column idempotency_keys.endpoint is 'Method and pattern of the path; `checkout` for the hosted pages.';
comment on column idempotency_keys.key is 'The caller''s Idempotency-Key.';
comment on column idempotency_keys.created_at is 'On the real clock. The key is free again 30 days later.';
comment on column idempotency_keys.body is 'The whole envelope of the reply; null while the request is running.';

comment on column next_runs.job is 'The name of the job in the program.';
comment on column next_runs.due_at is 'On the real clock, for jobs of the business''s clock, too.';

comment on column placements.name is 'Of the table.';

comment on column processes.started_at is 'On the database''s clock.';

comment on column ran_migrations.name is 'The file without `.sql`.';
comment on column ran_migrations.sha256 is 'Of the file''s text, or the one that the file stands for.';

comment on column recoveries.system_identifier is 'What PostgreSQL calls the cluster of databases, from pg_control_system.';
comment on column recoveries.timeline is 'PostgreSQL''s count of recoveries to a point in time.';
comment on column recoveries.recovered_at is 'On the database''s clock.';

comment on column businesses.time_zone is 'IANA name. Local days and months are counted in it.';
comment on column businesses.currency is 'ISO 4217.';
comment on column businesses.previous_until is 'Until when previous_webhook_secret signs too, on the real clock; null without one.';
comment on column businesses.created_at is 'On the real clock.';

comment on column business_branding.display_name is 'Null: the name of the business.';
comment on column business_branding.color is '`#` and six hexadecimal digits in lower case.';
comment on column business_branding.wallet_a_name is 'What pages call the method wallet_a_pay; null: its plain name.';
comment on column business_branding.wallet_b_name is 'What pages call the method wallet_b; null: its plain name.';
comment on column business_branding.logo is 'The bytes of the image, at most 256 KiB.';
comment on column business_branding.logo_type is 'The media type of the logo, as its bytes say.';
comment on column business_branding.updated_at is 'On the real clock.';

comment on column business_clocks.offset_ms is 'How far the clock is ahead of real time, in milliseconds.';
comment on column business_clocks.advance_to is 'Where an advance under way ends, on the business''s clock; null without one.';
comment on column business_clocks.driver_leased_until is 'The end of the driver''s lease, on the real clock.';

comment on column apps.environment is '`test` or `live`, as of the business.';
comment on column apps.encryption_key is 'A public JWK to which card numbers are encrypted; null: they are shown masked.';
comment on column apps.created_at is 'On the real clock.';

comment on column api_keys.environment is '`test` or `live`, as of the app.';
comment on column api_keys.scopes is 'Such as `payments:read` (reference/access#scopes).';
comment on column api_keys.created_at is 'On the real clock.';
comment on column api_keys.expires_at is 'On the real clock; null: never.';
comment on column api_keys.revoked_at is 'On the real clock; null while it is valid.';

comment on column signature_nonces.business_id is
  'The live tenant of the app, for both environments, so that no request of one is accepted in the other.';
comment on column signature_nonces.nonce is 'The caller''s, from the signature of the request.';
comment on column signature_nonces.expires_at is 'On the real clock: when no signature with the nonce can be valid any more.';

comment on column users.email is 'In lower case.';
comment on column users.image is 'Not used: a new user gets null.';
comment on column users.two_factor_enabled is 'Whether a code is asked for after the password.';
comment on column users.locale is 'The language of the console and of messages.';
comment on column users.disabled_at is 'On the real clock; null while the user may sign in.';
comment on column users.created_at is 'On the real clock.';
comment on column users.updated_at is 'On the real clock.';

comment on column user_accounts.account_id is
  'The user''s id for `credential`; the subject for `oidc`, after a prefix that tells the provider.';
comment on column user_accounts.provider_id is '`credential` or `oidc`.';
comment on column user_accounts.password is 'Argon2id in PHC format, of `credential` only.';
comment on column user_accounts.access_token is 'Of the OIDC provider.';
comment on column user_accounts.refresh_token is 'Of the OIDC provider.';
comment on column user_accounts.id_token is 'Of the OIDC provider.';
comment on column user_accounts.access_token_expires_at is 'On the real clock.';
comment on column user_accounts.refresh_token_expires_at is 'On the real clock.';
comment on column user_accounts.scope is 'What the OIDC provider granted.';
comment on column user_accounts.created_at is 'On the real clock.';
comment on column user_accounts.updated_at is 'On the real clock.';

comment on column user_list_settings.list is 'The name of the list in the console.';
comment on column user_list_settings.settings is
  '{views [{name, filter, columns}], columns}; columns are left out where they are the usual ones.';
comment on column user_list_settings.updated_at is 'On the real clock.';

comment on column user_passkeys.public_key is 'In base64.';
comment on column user_passkeys.credential_id is 'WebAuthn''s id of the key, in base64url.';
comment on column user_passkeys.counter is 'The key''s own count of its signatures, of the last sign-in.';
comment on column user_passkeys.device_type is '`multiDevice`: the key may be copied to other devices. `singleDevice`: it may not.';
comment on column user_passkeys.backed_up is 'Whether the key was copied to other devices.';
comment on column user_passkeys.transports is 'How a browser reaches the key, separated by commas.';
comment on column user_passkeys.aaguid is 'The model of the authenticator.';
comment on column user_passkeys.created_at is 'On the real clock.';

comment on column user_secrets.name is '`sign_in`, the only secret.';
comment on column user_secrets.sealed is 'Encrypted by the keyring (platform/security).';

comment on column user_sessions.token is 'What the signed cookie holds.';
comment on column user_sessions.expires_at is 'On the real clock.';
comment on column user_sessions.created_at is 'On the real clock.';
comment on column user_sessions.updated_at is 'On the real clock: when the session was last prolonged.';

comment on column user_setup_links.hash is 'SHA-256 of the link''s token in base64url.';
comment on column user_setup_links.expires_at is 'On the real clock.';

comment on column user_trusted_devices.hash is 'SHA-256 of the cookie''s token in base64url.';
comment on column user_trusted_devices.ip_address is 'Of the last use.';
comment on column user_trusted_devices.user_agent is 'Of the browser when it was first trusted.';
comment on column user_trusted_devices.created_at is 'On the real clock.';
comment on column user_trusted_devices.last_used_at is 'On the real clock: when it last spared its user the second factor.';
comment on column user_trusted_devices.expires_at is 'On the real clock. Each use moves it.';

comment on column user_two_factors.secret is 'What the one-time codes are made from, encrypted with the key in user_secrets.';
comment on column user_two_factors.backup_codes is 'Encrypted with the key in user_secrets.';
comment on column user_two_factors.verified is 'False until the first code was entered.';

comment on column user_verifications.identifier is 'A hash of what is proved.';
comment on column user_verifications.value is 'What the library of sign-ins keeps for it, such as the user''s id.';
comment on column user_verifications.expires_at is 'On the real clock.';
comment on column user_verifications.created_at is 'On the real clock.';
comment on column user_verifications.updated_at is 'On the real clock.';

comment on column sign_in_failures.name is
  'The kind (`account`, `address`, `reset`, `own_password`, `factor`) and SHA-256 hashes in base64url of whom it counts.';
comment on column sign_in_failures.failures is 'Attempts in the window that have not succeeded.';
comment on column sign_in_failures.window_ends is 'On the real clock: when the count begins anew.';
comment on column sign_in_failures.locked_until is 'On the real clock; null while there is no lock.';

comment on column memberships.business_code is 'The code that both environments of the business have.';
comment on column memberships.test_role is 'What the user may do in the test environment; null: nothing.';
comment on column memberships.live_role is 'What the user may do in the live environment; null: nothing.';
comment on column memberships.created_at is 'On the real clock.';
comment on column memberships.updated_at is 'On the real clock.';

comment on column invitations.business_code is 'The code that both environments of the business have.';
comment on column invitations.hash is 'SHA-256 of the link''s token in base64url.';
comment on column invitations.email is 'In lower case.';
comment on column invitations.test_role is 'What the receiver will be in the test environment; null: nothing.';
comment on column invitations.live_role is 'What the receiver will be in the live environment; null: nothing.';
comment on column invitations.created_at is 'On the real clock.';
comment on column invitations.expires_at is 'On the real clock.';
comment on column invitations.accepted_at is 'On the real clock; null while the invitation is open.';

comment on column request_log.created_at is 'On the real clock, to the second; after_ms has the rest.';
comment on column request_log.path is 'Redacted, without the query.';
comment on column request_log.query is 'Redacted; '''' for none.';
comment on column request_log.route is 'The pattern of the path, such as `/svc/…/customers/:id`.';
comment on column request_log.status is 'Of HTTP.';
comment on column request_log.reason is 'Of the error; null for a reply without one.';
comment on column request_log.duration_us is 'In microseconds.';
comment on column request_log.actor_type is '`api_key` or `user`.';
comment on column request_log.actor_id is 'The id of the key or of the user.';
comment on column request_log.app_id is 'The app of the key; that of the console for a user.';
comment on column request_log.ip_address is 'Of the client, as reference/access#client-addresses finds it.';
comment on column request_log.user_agent is 'Redacted.';
comment on column request_log.idempotency_key is 'The caller''s, redacted; null where none was sent.';
comment on column request_log.is_replayed is 'Whether the reply was a stored one.';
comment on column request_log.response_body is 'Of rows from before 0032: redacted UTF-8. Later rows have it in `bodies`.';
comment on column request_log.bodies_id is 'With bodies_at, the row that has the bodies; null in rows that have their own.';
comment on column request_log.bodies_place is 'The place of the request''s pair in those bodies, from 0; null in rows that have their own.';

comment on column request_log_keys.created_at is 'Of the row of request_log.';
comment on column request_log_keys.id is 'Of the row of request_log.';

comment on column audit_chains.business_id is 'The tenant, or `operator` for what belongs to no business.';
comment on column audit_chains.sequence is 'Of the last entry.';
comment on column audit_chains.hash is 'Of the last entry, SHA-256 in hexadecimal.';

comment on column audit_entries.business_id is 'The tenant, or `operator` for what belongs to no business.';
comment on column audit_entries.sequence is 'Counts the entries of the chain from 1, without gaps.';
comment on column audit_entries.created_at is 'On the real clock.';
comment on column audit_entries.document is
  '{id, created_at, state, started_id, actor, action, object, ip_address, user_agent, origin, request_id, status, reason, request, before, after}, without what is not known. An erased one has `erased` instead of the last three.';
comment on column audit_entries.state is '`started` before the action; `completed`, `refused` or `failed` after it.';
comment on column audit_entries.started_id is 'The entry that was written before the action.';
comment on column audit_entries.actor_type is '`api_key`, `user`, `command_line`, `payer` or `service`.';
comment on column audit_entries.actor_id is 'The id of the key or of the user, the account at the operating system, or `unknown`.';
comment on column audit_entries.action is 'Such as `orders.void`, after path and method.';
comment on column audit_entries.object_type is 'The kind of what was acted on, such as `customers`.';
comment on column audit_entries.object_id is 'Its id, or the caller''s own number for it.';

comment on column acquirer_accounts.name is 'The business''s own.';
comment on column acquirer_accounts.state is 'A disabled account takes no new payment, and stays disabled.';
comment on column acquirer_accounts.merchant_id is 'The acquirer''s own id of the account.';
comment on column acquirer_accounts.api_base is 'Where the acquirer is called, without the version''s path and without a final slash.';
comment on column acquirer_accounts.statement_descriptor is 'What payers see on their statements; null: what the acquirer has.';
comment on column acquirer_accounts.methods is 'Of `credit_card`, `payment_token`, `wallet_a_pay` and `wallet_b`.';
comment on column acquirer_accounts.raw_card_numbers is 'Whether full card numbers may be sent to it.';
comment on column acquirer_accounts.created_at is 'On the business''s clock.';
comment on column acquirer_accounts.updated_at is 'On the business''s clock.';

comment on column acquirer_notices.id is 'The acquirer''s id of the message; repeated messages have the same.';
comment on column acquirer_notices.type is 'The acquirer''s own word, such as `payment_intent.succeeded`.';
comment on column acquirer_notices.subject_reference is 'The acquirer''s id of the object.';
comment on column acquirer_notices.subject_key is 'Our key of it; null where the notice does not repeat it.';
comment on column acquirer_notices.facts is
  'Names and texts from the notice, where the acquirer answers no inquiry about the object; otherwise {}. Never card data.';
comment on column acquirer_notices.received_at is 'On the real clock.';
comment on column acquirer_notices.attempts is 'How often it was handled or put off.';

comment on column routing_rules.rules is
  '[{when {currency, min_amount, max_amount, brand, country, payment_method, source}, accounts [{id, weight}], by, fallback [account id]}]; a member of `when` that is left out matches all.';
comment on column routing_rules.version is 'Counts the replacements.';
comment on column routing_rules.updated_at is 'On the business''s clock.';

comment on column customers.email is 'Null without one.';
comment on column customers.dial_code is 'Of the phone''s country, such as +852.';
comment on column customers.default_payment_method is '`Credit Card`, `WalletA Pay` or `WalletB`; null: none was named.';
comment on column customers.created_at is 'On the business''s clock.';
comment on column customers.updated_at is 'On the business''s clock.';

comment on column customer_terms.term is 'In lower case and without accents. Searches compare its beginning.';

comment on column customer_word_keys.key is 'A word as it is or without one of its letters.';
comment on column customer_word_keys.word is 'A word of a customer, in lower case and without accents.';

comment on column payment_tokens.first_6 is 'First digits of the card number.';
comment on column payment_tokens.last_4 is 'Last digits of the card number.';
comment on column payment_tokens.number_length is 'How many digits the card number has, to show it masked.';
comment on column payment_tokens.holder_name is 'As on the card.';
comment on column payment_tokens.exp_year is 'Of four digits.';
comment on column payment_tokens.billing_currency is 'ISO 4217; of cards whose number was sent here.';
comment on column payment_tokens.error_code is 'Why the binding failed: our word for the decline, or the acquirer''s code.';
comment on column payment_tokens.error_msg is 'The message to that.';
comment on column payment_tokens.return_url is 'Where the payer goes after the verification page.';
comment on column payment_tokens.next_action_url is 'The acquirer''s page for the payer, while one is awaited.';
comment on column payment_tokens.due_at is 'When the next inquiry is due, on the business''s clock; null once the token is not pending.';
comment on column payment_tokens.leased_until is 'The end of the lease of who inquires, on the real clock; null: nobody does.';
comment on column payment_tokens.acquirer_token is 'The id in the acquirer''s own vault; null where only sealed_number has the card.';
comment on column payment_tokens.card_country is 'ISO 3166-1 alpha-2, of the issuer; null where the acquirer does not tell it.';
comment on column payment_tokens.verification_sent_at is 'On the real clock; null in old rows, where created_at stands for it.';
comment on column payment_tokens.created_at is 'On the business''s clock.';
comment on column payment_tokens.updated_at is 'On the business''s clock. Of a failed token the time of its failure.';

comment on column purged_payment_tokens.token is 'The id that the token had in payment_tokens.';

comment on column legal_entities.address is '{line1, line2, postalCode, city, region, country}; the country is ISO 3166-1 alpha-2.';
comment on column legal_entities.tax_ids is
  'A list of {type, value}; the type is `vat`, the value in capitals without blanks, dots and hyphens.';
comment on column legal_entities.bank is '{iban, bic}; null without an account on invoices.';
comment on column legal_entities.tax_rounding is 'Whether the tax of each rate is rounded once a document, or on each line.';
comment on column legal_entities.footer is 'The last lines of its documents.';
comment on column legal_entities.reference_id is 'The caller''s own id, unique among objects of this kind.';
comment on column legal_entities.metadata is 'Keys and values of the caller''s own; null instead of an empty object.';
comment on column legal_entities.created_at is 'On the business''s clock.';
comment on column legal_entities.updated_at is 'On the business''s clock.';

comment on column billing_settings.legal_entity_id is 'The seller of new plans; null: they get no invoices.';
comment on column billing_settings.tax is '`automatic`: orders of new plans are taxed.';
comment on column billing_settings.collection is
  '`automatic`: the default token is charged. `send_invoice`: the customer pays the invoice.';
comment on column billing_settings.days_until_due is 'Local days from the issue of a sent invoice.';
comment on column billing_settings.late_days is 'For how many days events of usage are taken after the end of their period.';
comment on column billing_settings.updated_at is 'On the business''s clock.';

comment on column billing_details.address is '{line1, line2, postalCode, city, region, country}; the country is ISO 3166-1 alpha-2.';
comment on column billing_details.tax_exempt is '`exempt` pays no tax, `reverse` owes it itself.';
comment on column billing_details.exempt_reason is 'Text for documents.';
comment on column billing_details.language is 'Of documents and messages, BCP 47; null: not said.';
comment on column billing_details.invoice_email is 'Where documents go; null: the customer''s e-mail.';
comment on column billing_details.created_at is 'On the business''s clock.';
comment on column billing_details.updated_at is 'On the business''s clock.';

comment on column tax_rates.name is 'What lines of orders and documents call it.';
comment on column tax_rates.country is 'ISO 3166-1 alpha-2.';
comment on column tax_rates.valid_from is 'A local date, inclusive.';
comment on column tax_rates.reference_id is 'The caller''s own id, unique among objects of this kind.';
comment on column tax_rates.metadata is 'Keys and values of the caller''s own; null instead of an empty object.';
comment on column tax_rates.created_at is 'On the business''s clock.';
comment on column tax_rates.updated_at is 'On the business''s clock.';

comment on column tax_engines.timeout_ms is 'How long it is waited for, in milliseconds.';
comment on column tax_engines.sealed_secret is 'Signs what is sent to it; encrypted (platform/security).';
comment on column tax_engines.created_at is 'On the business''s clock.';

comment on column orders.type is '`recurring`: a plan made it.';
comment on column orders.reference_number is 'The caller''s own, unique in the environment; made by the service for an order of a plan.';
comment on column orders.currency is 'ISO 4217. All amounts of the order are in its minor units.';
comment on column orders.due_date is 'Shown on the order; null without one.';
comment on column orders.initial_tips_minor is 'The part of initial_total_minor that is tips.';
comment on column orders.paid_total_minor is 'The sum of successful Sales, Captures and Refunds.';
comment on column orders.state is 'See reference/orders#states.';
comment on column orders.customer_uuid is 'The order takes only payment tokens of this customer; null where none was named.';
comment on column orders.plan_metadata is 'Keys and values of the plan when it made the order; null for none.';
comment on column orders.return_url is 'Where pages send the payer after the payment.';
comment on column orders.notify_url is 'Receives the events of the order.';
comment on column orders.timeout_timer is 'The caller''s text: seconds, or an ISO 8601 duration; null without a timeout.';
comment on column orders.timeout_seconds is 'timeout_timer in seconds from created_at.';
comment on column orders.timeout_url is 'Where pages send the payer once the time has run out.';
comment on column orders.void_idempotency_id is 'The Idempotency-Key whose reply the void has to store; null for none.';
comment on column orders.void_request_id is 'The request that asked for the void; null for none.';
comment on column orders.void_due_at is 'When the void is tried again, on the business''s clock; null without a void under way.';
comment on column orders.void_inquiries is 'How often lost reversals of the void were inquired about.';
comment on column orders.created_at is 'On the business''s clock.';
comment on column orders.updated_at is 'On the business''s clock.';
comment on column orders.invoice_number is 'A copy, because payments cannot read the tables of invoices; null without an invoice.';

comment on column transactions.type is '`Authorization` moves no money; a Capture of it does.';
comment on column transactions.state is 'See reference/payments#states.';
comment on column transactions.currency is 'That of the order.';
comment on column transactions.amount_key is 'quittance_amount_key of the amount, without its sign. Lists are filtered by it.';
comment on column transactions.payment_method is 'What the payer paid with; `bank_transfer`: a line of a bank statement.';
comment on column transactions.token is 'The payment token that was charged; null for others.';
comment on column transactions.last_4 is 'Of the card. Lists are filtered by it.';
comment on column transactions.note is 'Text of who asked for it, or why it was undone.';
comment on column transactions.acquirer_name is 'Such as `stripe`; `bank` for a transfer.';
comment on column transactions.merchant_id is 'The acquirer''s id of the account; '''' for a transfer.';
comment on column transactions.fallback_of is 'The transaction that was tried at another account before this one; null for the first.';
comment on column transactions.decline_code is
  'Why it failed: our word, else the acquirer''s code, else how it failed. Lists are filtered by it.';
comment on column transactions.void_pending is 'Whether the outcome of the void is not known yet.';
comment on column transactions.receipt_number is '`receipt_id` of the interface.';
comment on column transactions.succeeded_at is
  'On the business''s clock, of an approved Authorization, too. Null before, and once the acquirer said that it failed later.';
comment on column transactions.created_at is 'On the business''s clock.';
comment on column transactions.updated_at is 'On the business''s clock.';

comment on column acquirer_transactions.account_id is 'The account at a real acquirer that it was sent to.';
comment on column acquirer_transactions.gateway_transaction_id is 'The acquirer''s id; null before it said one.';
comment on column acquirer_transactions.rrn is 'The retrieval reference number of the card network; null where the acquirer says none.';

comment on column acquirer_operations.kind is 'What is done at the acquirer.';
comment on column acquirer_operations.transaction_id is 'The transaction, or the one that is voided.';
comment on column acquirer_operations.payer_present is 'Whether the payer can answer a challenge such as 3-D Secure.';
comment on column acquirer_operations.request_id is 'The request whose reply is not stored yet; null for none.';
comment on column acquirer_operations.started_at is 'On the business''s clock.';
comment on column acquirer_operations.lease_id is 'Names the lease; null while nobody has it.';
comment on column acquirer_operations.original_reference is
  'The acquirer''s id of the payment that is captured, refunded or voided; null for others.';

comment on column receipt_numbers.only_row is 'Keeps the table at one row.';
comment on column receipt_numbers.next_number is 'The first number that no process has fetched.';

comment on column disputes.account_id is 'The account at the acquirer.';
comment on column disputes.payment_reference is 'The acquirer''s id of the payment.';
comment on column disputes.order_id is 'Null while no payment of ours has that id.';
comment on column disputes.transaction_id is 'The disputed payment; null while no payment of ours has that id.';
comment on column disputes.amount_minor is 'The disputed amount, in minor units of `currency`; it may be a part of the payment.';
comment on column disputes.currency is 'ISO 4217, of the dispute.';
comment on column disputes.reason is 'A word of the acquirer, such as `fraudulent`.';
comment on column disputes.state is 'See reference/disputes#states. An inquiry precedes a chargeback and moves no money.';
comment on column disputes.respond_by is 'Until when evidence is taken; null where the acquirer does not say.';
comment on column disputes.submitted_at is 'When the evidence was handed in; null before.';
comment on column disputes.created_at is 'When the acquirer opened it.';

comment on column dispute_evidence.name is 'The member of the interface, such as `uncategorized_text`.';
comment on column dispute_evidence.text is 'Null for a file.';
comment on column dispute_evidence.file_name is 'As the acquirer will show it; null for a text.';
comment on column dispute_evidence.content_type is 'The media type of the file; null for a text.';
comment on column dispute_evidence.content is 'The bytes of the file; null for a text.';

comment on column dispute_refreshes.account_id is 'The account at the acquirer.';
comment on column dispute_refreshes.reference is 'The acquirer''s id of the dispute, which we may not know yet.';
comment on column dispute_refreshes.attempts is 'Without an answer since the last notice.';

comment on column dispute_scans.account_id is 'The account at the acquirer.';
comment on column dispute_scans.opened_after is 'Disputes that were opened later are searched; null between two searches.';
comment on column dispute_scans.due_at is 'On the real clock.';

comment on column dispute_submissions.status is '`sent`: no response yet. `unknown`: there was none.';
comment on column dispute_submissions.inquiries is 'Without an outcome.';
comment on column dispute_submissions.idempotency_id is 'The Idempotency-Key whose reply is not stored yet; null for none.';
comment on column dispute_submissions.request_id is 'The request whose reply is not stored yet; null for none.';
comment on column dispute_submissions.due_at is 'When the acquirer is asked, on the real clock.';
comment on column dispute_submissions.leased_until is 'On the real clock; null while nobody has the lease.';
comment on column dispute_submissions.lease_id is 'Names the lease; null while nobody has it.';

comment on column reconciliation_runs.account_id is 'The account at the acquirer.';
comment on column reconciliation_runs.started_at is 'Of the current or last run, on the real clock; null before the first.';
comment on column reconciliation_runs.attempts is 'How often the acquirer could not be asked since it last answered.';
comment on column reconciliation_runs.problem is 'Why the acquirer could not be asked; null once it answered.';
comment on column reconciliation_runs.movements_id is 'With movements_at, the last transaction that was looked for.';
comment on column reconciliation_runs.movements_until is 'On the business''s clock.';

comment on column reconciliations.account_id is 'The account at the acquirer.';
comment on column reconciliations.day is 'Of UTC, on which the acquirer booked the lines; null for a payout.';
comment on column reconciliations.payout_id is 'The acquirer''s; null for a day.';
comment on column reconciliations.payout_currency is 'ISO 4217; null for a day.';
comment on column reconciliations.payout_minor is 'In minor units of payout_currency; null for a day.';
comment on column reconciliations.payout_state is 'As the acquirer says; null for a day.';
comment on column reconciliations.payout_arrives_at is 'At the bank, as the acquirer says; null for a day.';
comment on column reconciliations.created_at is 'When the acquirer made the payout, or the start of the day.';

comment on column reconciliation_entries.account_id is 'The account at the acquirer.';
comment on column reconciliation_entries.result is 'See reference/reconciliation#results.';
comment on column reconciliation_entries.type is 'Our word for acquirer_type.';
comment on column reconciliation_entries.acquirer_type is 'The acquirer''s own word, such as `charge`; '''' for what is missing there.';
comment on column reconciliation_entries.reference is 'The acquirer''s id of the payment or dispute; null where the line has neither.';
comment on column reconciliation_entries.currency is
  'In which it was settled. gross_minor, fee_minor and net_minor are in its minor units.';
comment on column reconciliation_entries.gross_minor is 'Positive for money that comes in.';
comment on column reconciliation_entries.fee_minor is 'Positive for what the acquirer keeps.';
comment on column reconciliation_entries.net_minor is 'What is left of the gross amount after the fee.';
comment on column reconciliation_entries.paid_currency is
  'What the payer paid in, where it was settled in another currency; null otherwise.';
comment on column reconciliation_entries.paid_minor is 'What the payer paid, in minor units of paid_currency.';
comment on column reconciliation_entries.transaction_id is 'Ours; null where none was found.';
comment on column reconciliation_entries.order_id is 'Of the transaction or the dispute; null where none was found.';
comment on column reconciliation_entries.dispute_id is 'Ours; null where none was found.';
comment on column reconciliation_entries.expected_minor is 'Our amount, where it differs, in minor units of expected_currency.';
comment on column reconciliation_entries.created_at is
  'On the acquirer''s clock. Of a transaction that is missing there, when it succeeded on the business''s clock.';
comment on column reconciliation_entries.available_at is 'When the money can be paid out, as the acquirer says; null where it does not.';
comment on column reconciliation_entries.found_at is 'When the line came here, or was found missing there, on the real clock.';

comment on column reconciliation_totals.type is 'As in reconciliation_entries.';
comment on column reconciliation_totals.result is 'As in reconciliation_entries.';
comment on column reconciliation_totals.entries is 'How many entries are counted.';
comment on column reconciliation_totals.gross_minor is 'In minor units of `currency`.';
comment on column reconciliation_totals.fee_minor is 'In minor units of `currency`.';
comment on column reconciliation_totals.net_minor is 'In minor units of `currency`.';

comment on column reconciliation_days.currency is 'ISO 4217. Both amounts are in its minor units.';
comment on column reconciliation_days.day is 'In the business''s time zone.';
comment on column reconciliation_days.fee_minor is 'What acquirers kept: fees of lines, and lines that are fees.';

comment on column invoices.type is 'All amounts of a credit note are positive.';
comment on column invoices.legal_entity_id is 'The seller.';
comment on column invoices.series is 'What counts the numbers; several series of the entity may share it.';
comment on column invoices.year is 'The local year of the number; 0 where its format has none.';
comment on column invoices.number is 'As printed.';
comment on column invoices.state is 'See reference/billing-invoices#states.';
comment on column invoices.order_id is 'The order that it bills or credits.';
comment on column invoices.plan_id is 'Of the order; null for a one-off.';
comment on column invoices.customer_uuid is 'The buyer.';
comment on column invoices.currency is 'ISO 4217. All amounts are in its minor units.';
comment on column invoices.issue_date is 'A local date.';
comment on column invoices.due_date is 'A local date; it is due until the end of that day.';
comment on column invoices.net_minor is 'Without tax.';
comment on column invoices.total_minor is 'net_minor and tax_minor together.';
comment on column invoices.due_minor is 'What is still to be paid.';
comment on column invoices.credited_minor is 'What credit notes took from it.';
comment on column invoices.reference_id is 'The caller''s own id, unique among objects of this kind.';
comment on column invoices.metadata is 'Keys and values of the caller''s own; null instead of an empty object.';
comment on column invoices.created_at is 'On the business''s clock.';
comment on column invoices.updated_at is 'On the business''s clock.';

comment on column invoice_recoveries.legal_entity_id is 'The seller whose sequences begin later.';
comment on column invoice_recoveries.numbers is 'How many each such sequence skips.';

comment on column invoice_sequences.type is 'Whose numbers they are.';
comment on column invoice_sequences.legal_entity_id is 'The seller.';
comment on column invoice_sequences.series is 'What counts the numbers; several series of the entity may share it.';
comment on column invoice_sequences.first_number is 'Of the year.';
comment on column invoice_sequences.next_number is 'What the next document gets.';
comment on column invoice_sequences.last_issued_at is 'The created_at of the newest document, on the business''s clock.';

comment on column bank_statements.format is 'ISO 20022 camt.053, or CSV.';
comment on column bank_statements.entries is 'Booked credits in the statement.';
comment on column bank_statements.new_entries is 'Those that no statement before it had.';
comment on column bank_statements.matched is 'New ones that were matched when they came.';
comment on column bank_statements.unmatched is 'New ones that were not, suggested ones among them.';
comment on column bank_statements.reference_id is 'The caller''s own id, unique among objects of this kind.';
comment on column bank_statements.metadata is 'Keys and values of the caller''s own; null instead of an empty object.';
comment on column bank_statements.created_at is 'On the business''s clock.';

comment on column bank_entries.kind is 'A return is a debit that took a credit back.';
comment on column bank_entries.statement_id is 'The first statement that had it.';
comment on column bank_entries.account is 'The IBAN or other id of the merchant''s account; null where the statement has none, as in CSV.';
comment on column bank_entries.booking_date is 'As the bank says.';
comment on column bank_entries.amount_minor is 'In minor units of `currency`.';
comment on column bank_entries.debtor_name is 'Who paid; null where the bank does not say, and for a return.';
comment on column bank_entries.debtor_iban is 'In capitals, without blanks; null as debtor_name.';
comment on column bank_entries.bank_reference is 'The account servicer''s own.';
comment on column bank_entries.end_to_end_id is 'The payer''s own; a return repeats that of its credit.';
comment on column bank_entries.remittance is 'What the payer wrote; '''' for nothing.';
comment on column bank_entries.created_at is 'On the business''s clock.';
comment on column bank_entries.updated_at is 'On the business''s clock.';

comment on column bank_entry_matches.transaction_id is 'The `bank_transfer` of the order.';
comment on column bank_entry_matches.invoice_id is 'What it paid.';
comment on column bank_entry_matches.invoice_number is 'A copy of the invoice''s number.';
comment on column bank_entry_matches.order_id is 'The order of the invoice.';
comment on column bank_entry_matches.customer_uuid is 'The buyer of the invoice.';
comment on column bank_entry_matches.amount_minor is 'What of the entry it paid, in minor units of the entry''s currency.';
comment on column bank_entry_matches.created_at is 'On the business''s clock.';

comment on column products.tax_category is 'What tax rates go by; it never changes.';
comment on column products.reference_id is 'The caller''s own id, unique among objects of this kind.';
comment on column products.metadata is 'Keys and values of the caller''s own; null instead of an empty object.';
comment on column products.created_at is 'On the business''s clock.';
comment on column products.updated_at is 'On the business''s clock.';

comment on column recurring_items.product_id is 'Null for an item that was made without one.';
comment on column recurring_items.label is 'Of lines of orders.';
comment on column recurring_items.currency is 'ISO 4217. price_minor is in its minor units, unit_amount and tiers in its units.';
comment on column recurring_items.model is 'How a quantity becomes an amount (reference/billing-catalogue#models).';
comment on column recurring_items.package_size is 'How many units one package holds; of model `package` only.';
comment on column recurring_items.tax_behavior is 'Whether the amount includes the tax.';
comment on column recurring_items.version is 'Counts the prices that took the place of each other, from 1.';
comment on column recurring_items.reference_id is 'The caller''s own; unique among prices of products.';
comment on column recurring_items.metadata is 'Keys and values of the caller''s own; null instead of an empty object.';
comment on column recurring_items.created_at is 'On the business''s clock.';

comment on column recurring_billing_configs.billing_interval is 'The unit of the period.';
comment on column recurring_billing_configs.interval_count is 'How many of the unit make a period.';
comment on column recurring_billing_configs.billing_type is '`anniversary`: on the day of the start. `calendar`: on billing_day_of_month.';
comment on column recurring_billing_configs.billing_month is 'From 1 to 12, of `calendar` years only.';
comment on column recurring_billing_configs.billing_day_of_month is
  'From 1 to 31, of `calendar` only; in a shorter month the last day counts.';
comment on column recurring_billing_configs.billing_proration_enabled is
  'Whether the days before the first date are billed; of `calendar` only.';
comment on column recurring_billing_configs.created_at is 'On the business''s clock.';

comment on column recurring_plans.reference_number is 'The caller''s own. Its orders have it with -1, -2, -3 and so on.';
comment on column recurring_plans.default_collection_method is '`charge_automatically`, the only one.';
comment on column recurring_plans.payment_retry_count is 'All attempts of one order, the first included.';
comment on column recurring_plans.payment_retry_day_period is 'Local days between two attempts.';
comment on column recurring_plans.grace_period is 'Local days after which unpaid orders are voided; null: never.';
comment on column recurring_plans.callback_url is 'Receives the events of the plan, its cycles and its orders.';
comment on column recurring_plans.redirect_url is 'Where payment links of its orders send the payer.';
comment on column recurring_plans.timeout_seconds is 'For how long payment links of its orders work; null: without end.';
comment on column recurring_plans.timeout_url is 'Where such a link sends the payer once its time has run out.';
comment on column recurring_plans.note is 'Shown on all orders of the plan.';
comment on column recurring_plans.currency is 'ISO 4217, of all its items.';
comment on column recurring_plans.credit_minor is 'Lowers the next orders; in minor units of `currency`.';
comment on column recurring_plans.local_time is 'The time of day of its orders in time_zone.';
comment on column recurring_plans.start_at is 'On the business''s clock.';
comment on column recurring_plans.current_cycle is 'The position of the cycle in recurring_cycles.';
comment on column recurring_plans.current_order_id is 'The newest order; null before the first.';
comment on column recurring_plans.paused is 'Nothing is billed until it resumes.';
comment on column recurring_plans.cancel_at is 'When the plan ends by a request; null for no such end.';
comment on column recurring_plans.due_kind is
  '`timeline`: a period or another step of the plan''s life. `attempt` and `void` are of an order.';
comment on column recurring_plans.due_order_id is 'The order of an `attempt` or a `void`.';
comment on column recurring_plans.next_execute_at is 'The earliest bill or attempt, on the business''s clock; null for none.';
comment on column recurring_plans.created_at is 'On the business''s clock.';
comment on column recurring_plans.updated_at is 'On the business''s clock.';
comment on column recurring_plans.dunning_policy_id is 'What replaces the two numbers of retries; null: nothing does.';
comment on column recurring_plans.term_notice is 'An ISO 8601 duration of whole days; null for none.';
comment on column recurring_plans.term_renewal is 'An ISO 8601 duration of whole days; null for a period, and without terms.';
comment on column recurring_plans.trial_notice_days is
  'So many local days before its end the trial is announced; 0: never. Null without a trial.';

comment on column recurring_cycles.position is 'From 0, in the order of the phases.';
comment on column recurring_cycles.state is 'See reference/recurring#cycles.';
comment on column recurring_cycles.orders_created is 'Those that count in billing_count.';
comment on column recurring_cycles.billing_config_id is 'When the cycle bills.';
comment on column recurring_cycles.discount_type is 'Whether discount_minor or discount_rate counts; null without a discount.';
comment on column recurring_cycles.discount_rate is 'The exact percentage as text, from 0 to 100.';
comment on column recurring_cycles.start_date is 'The local day of start_at.';
comment on column recurring_cycles.anchor_day is 'The day of the month from which its dates are counted.';
comment on column recurring_cycles.next_period is 'The index of the next period, from 0; skipped ones have an index, too.';
comment on column recurring_cycles.end_at is 'On the business''s clock; null while it is not known.';
comment on column recurring_cycles.created_at is 'On the business''s clock.';
comment on column recurring_cycles.updated_at is 'On the business''s clock.';

comment on column recurring_cycle_items.cycle_position is 'Of the cycle.';
comment on column recurring_cycle_items.position is 'Of the item in the cycle, from 0.';

comment on column recurring_credits.amount_minor is 'In minor units of the plan''s currency; below zero for what is taken back.';
comment on column recurring_credits.note is 'Text of who granted it.';
comment on column recurring_credits.created_at is 'On the business''s clock.';

comment on column recurring_refused_tokens.response_code is 'The acquirer''s, of the first refusal.';
comment on column recurring_refused_tokens.message is 'The acquirer''s, of the first refusal.';
comment on column recurring_refused_tokens.refused_at is 'On the business''s clock.';

comment on column coupons.name is 'The label of its lines.';
comment on column coupons.amount_off_minor is 'In minor units of `currency`; null with percent_off.';
comment on column coupons.exclusive is 'Whether it stands beside no other coupon.';
comment on column coupons.minimum_minor is
  'What a whole period must come to after the cycle''s discount, in minor units of `currency`; null: nothing.';
comment on column coupons.first_order_only is 'Only while the customer has no order under any plan.';
comment on column coupons.max_redemptions is 'How often it can be attached to a plan; null: no limit.';
comment on column coupons.redeem_until is 'Until when it can be attached to a plan, on the business''s clock; null: no limit.';
comment on column coupons.reference_id is 'The caller''s own id, unique among objects of this kind.';
comment on column coupons.metadata is 'Keys and values of the caller''s own; null instead of an empty object.';
comment on column coupons.created_at is 'On the business''s clock.';
comment on column coupons.updated_at is 'On the business''s clock.';

comment on column promotion_codes.code is 'As it was written.';
comment on column promotion_codes.customer_uuid is 'Only plans of this customer can take it; null: those of all.';
comment on column promotion_codes.max_redemptions is 'How often it can be used; null: no limit.';
comment on column promotion_codes.redeem_until is 'Until when it can be used, on the business''s clock; null: no limit.';
comment on column promotion_codes.reference_id is 'The caller''s own id, unique among objects of this kind.';
comment on column promotion_codes.metadata is 'Keys and values of the caller''s own; null instead of an empty object.';
comment on column promotion_codes.created_at is 'On the business''s clock.';

comment on column recurring_plan_coupons.promotion_code_id is 'The code that it came by; null where the coupon was named itself.';
comment on column recurring_plan_coupons.periods_lowered is 'What counts for the coupon''s times.';
comment on column recurring_plan_coupons.attached_at is 'On the business''s clock.';

comment on column recurring_orders.cycle_position is 'Of the cycle that it bills.';
comment on column recurring_orders.period_start is 'Of the period that it bills, on the business''s clock.';
comment on column recurring_orders.attempts is 'That were made and count.';
comment on column recurring_orders.attempted_at is 'When the last attempt was made, on the business''s clock; null before the first.';
comment on column recurring_orders.next_attempt_at is 'On the business''s clock; null where none comes.';
comment on column recurring_orders.void_at is 'When its grace ends, on the business''s clock; null while no grace runs.';
comment on column recurring_orders.created_at is 'On the business''s clock.';

comment on column dunning_policies.hard is 'Where no token may be charged: `wait` for another one, or follow the steps.';
comment on column dunning_policies.new_token is '`retry`: another default token makes the next attempt at once.';
comment on column dunning_policies.exhausted is 'What becomes of the plan after the last step.';
comment on column dunning_policies.reference_id is 'The caller''s own id, unique among objects of this kind.';
comment on column dunning_policies.metadata is 'Keys and values of the caller''s own; null instead of an empty object.';
comment on column dunning_policies.created_at is 'On the business''s clock.';
comment on column dunning_policies.updated_at is 'On the business''s clock.';

comment on column recurring_plan_terms.term is 'In lower case and without accents. Searches compare its beginning.';

comment on column recurring_plan_word_keys.key is 'A word as it is or without one of its letters.';
comment on column recurring_plan_word_keys.word is 'A word of a plan''s name, in lower case and without accents.';

comment on column cards.mode is 'Responses show the linked user only for B2C.';
comment on column cards.settlement_currency is 'ISO 4217. All amounts of the card are in its minor units.';
comment on column cards.status is
  'See reference/cards#status. A card whose expires_at has passed counts as `Expired` before that is stored.';
comment on column cards.physical_status is 'Of the plastic card; `Idle` before it is ordered.';
comment on column cards.status_remark is 'The caller''s text of the last change; '''' for none.';
comment on column cards.first_6 is 'First digits of the card number.';
comment on column cards.last_4 is 'Last digits of the card number.';
comment on column cards.expiration_date is 'MM/YYYY, the last month.';
comment on column cards.spending_controls is
  '{allowed_categories, blocked_categories, allowed_countries, blocked_countries, count_limits [{period, count}], single_use}; what is left out restricts nothing.';
comment on column cards.funding_wallet_id is 'The wallet that pays for its authorizations; null: none does.';
comment on column cards.created_at is 'On the business''s clock.';
comment on column cards.updated_at is 'On the business''s clock.';

comment on column card_authorizations.reference_id is 'The caller''s id of the request. A repeated one gets the first decision.';
comment on column card_authorizations.state is 'See reference/cards#authorizations.';
comment on column card_authorizations.decline_reason is 'See reference/cards#decline-reasons; null for an approved one.';
comment on column card_authorizations.amount_minor is 'As requested, in minor units of `currency`. It never changes.';
comment on column card_authorizations.held_minor is 'What of it is still held.';
comment on column card_authorizations.captured_minor is 'All captures, forced ones among them.';
comment on column card_authorizations.refunded_minor is 'Of what was captured.';
comment on column card_authorizations.merchant_mcc is 'The category of the merchant, ISO 18245.';
comment on column card_authorizations.merchant_country is 'ISO 3166-1 alpha-2.';
comment on column card_authorizations.created_at is 'On the business''s clock.';
comment on column card_authorizations.expires_at is 'When what is held lapses, on the business''s clock.';
comment on column card_authorizations.hook_timeout_fallback is
  'What applies when the hook does not answer until hook_due_at; it stays afterwards.';

comment on column card_decision_hooks.timeout_ms is 'How long it is waited for, in milliseconds.';
comment on column card_decision_hooks.sealed_secret is 'Signs what is sent to it; encrypted (platform/security).';
comment on column card_decision_hooks.created_at is 'On the business''s clock.';

comment on column card_limit_changes.amount_minor is 'The limit after the change, in minor units of the card''s currency.';
comment on column card_limit_changes.remark is 'The caller''s text; '''' for none.';
comment on column card_limit_changes.created_at is 'On the business''s clock.';

comment on column card_limits.period is '`Transaction` limits each authorization by itself.';
comment on column card_limits.amount_minor is 'In minor units of the card''s currency.';
comment on column card_limits.status is 'An `Inactive` limit declines nothing.';
comment on column card_limits.created_at is 'On the business''s clock.';

comment on column card_operations.reference_id is
  'The caller''s id of the request; null for what no request asked for, and where it had none.';
comment on column card_operations.amount_minor is 'What was captured, refunded or released, in minor units of the card''s currency.';
comment on column card_operations.created_at is 'On the business''s clock.';

comment on column card_terms.term is 'In lower case and without accents. Searches compare its beginning.';

comment on column card_usage.daily_start is 'Midnight in the card''s time zone, inclusive.';
comment on column card_usage.daily_end is 'Exclusive.';
comment on column card_usage.daily_minor is
  'What is held and captured in the window, without what was refunded, in minor units of the card''s currency.';
comment on column card_usage.daily_count is 'Approvals in the window that were not reversed.';
comment on column card_usage.monthly_start is 'The first of the month in the card''s time zone, inclusive.';
comment on column card_usage.monthly_end is 'Exclusive.';
comment on column card_usage.monthly_minor is 'As daily_minor.';
comment on column card_usage.monthly_count is 'As daily_count.';
comment on column card_usage.lifetime_minor is 'As daily_minor, of all time.';
comment on column card_usage.lifetime_count is 'As daily_count, of all time.';

comment on column card_word_keys.key is 'A word as it is or without one of its letters.';
comment on column card_word_keys.word is 'A word of a card''s title, in lower case and without accents.';

comment on column wallets.p_user_id is 'The caller''s own id of the user.';
comment on column wallets.number is 'The last index of the address''s derivation path. Counts the tenant''s wallets.';
comment on column wallets.created_at is 'On the business''s clock.';

comment on column wallet_accounts.kind is
  '`available`, `held`: money of users. `custody`: at the deposit addresses of a chain. `spent`: captured by cards. `fees_owed`: by users. `fees_due`: to the business.';
comment on column wallet_accounts.currency is 'The symbol of the asset, such as USDT; USD for fees.';

comment on column wallet_counters.last_number is '0 before the first wallet.';

comment on column wallet_entries.posting_id is 'Names the entries that belong together.';
comment on column wallet_entries.owner is 'As in wallet_accounts.';
comment on column wallet_entries.kind is 'As in wallet_accounts.';
comment on column wallet_entries.currency is 'As in wallet_accounts.';
comment on column wallet_entries.amount is 'What is added to the balance of the account; an exact decimal of the currency.';
comment on column wallet_entries.reason is '`deposit`, `reorganisation`, `hold`, `release`, `capture` or `refund`.';
comment on column wallet_entries.created_at is 'On the business''s clock.';

comment on column wallet_fee_rules.percentage_fee is 'Of the amount in US dollars, from 0 to 100.';
comment on column wallet_fee_rules.updated_at is 'On the business''s clock.';

comment on column wallet_holds.currency is 'The wallet''s, such as USDT, not the card''s.';
comment on column wallet_holds.held is 'What is still held; an exact decimal of the currency.';
comment on column wallet_holds.captured is 'An exact decimal of the currency.';
comment on column wallet_holds.refunded is 'Of what was captured; an exact decimal of the currency.';
comment on column wallet_holds.created_at is 'On the business''s clock.';

comment on column wallet_transactions.blockchain is 'The configured name of the chain, `chain` in chain_transfers.';
comment on column wallet_transactions.block_time is 'As the chain says.';
comment on column wallet_transactions.currency is 'The symbol of the asset, such as USDT.';
comment on column wallet_transactions.decimals is 'How many of the last digits of `units` stand behind the point.';
comment on column wallet_transactions.units is 'The amount in the smallest unit of the asset.';
comment on column wallet_transactions.usd_price is 'Of one whole token in US dollars, as configured when it came.';
comment on column wallet_transactions.amount_in_usd_minor is 'In US cents.';
comment on column wallet_transactions.percentage_fee is 'Of the amount in US dollars, from 0 to 100.';
comment on column wallet_transactions.calculated_fee_minor is 'In US cents. It is owed; the deposit is credited in full.';
comment on column wallet_transactions.state is 'See reference/wallets#confirmations.';

comment on column deposit_addresses.business_id is 'The tenant of the wallet.';

comment on column chain_transfers.chain is 'The configured name of the chain.';
comment on column chain_transfers.id is 'That of the wallet transaction that is published.';
comment on column chain_transfers.block_time is 'As the chain says.';
comment on column chain_transfers.units is 'The amount in the smallest unit of the asset.';
comment on column chain_transfers.decimals is 'How many of the last digits of `units` stand behind the point.';
comment on column chain_transfers.usd_price is 'Of one whole token in US dollars, as configured when it came.';

comment on column watched_blocks.chain is 'The configured name of the chain.';
comment on column watched_blocks.number is 'The height of the block.';

comment on column watched_chains.name is 'As configured.';
comment on column watched_chains.chain_id is 'Of EIP-155, as configured when the name was first used.';
comment on column watched_chains.cursor_number is 'The last block that was read; null before the first.';
comment on column watched_chains.cursor_hash is 'Its hash.';
comment on column watched_chains.finalized_number is 'The last block that the node calls finalized; null where none was asked for.';
comment on column watched_chains.lease_holder is 'The worker that reads the chain; null for none.';
comment on column watched_chains.leased_until is 'On the real clock.';

comment on column webhook_endpoints.url is 'Where events are sent.';
comment on column webhook_endpoints.sealed_previous_secret is 'The secret before the last rotation; null where none signs any more.';
comment on column webhook_endpoints.previous_until is 'On the real clock; null without a previous secret.';
comment on column webhook_endpoints.created_at is 'On the business''s clock.';

comment on column deliveries.object_id is 'Of the event.';
comment on column deliveries.sequence is 'Of the event, in those of its object.';
comment on column deliveries.url is 'Where the event is sent.';
comment on column deliveries.state is '`delivered`: the receiver answered 2xx. `exhausted`: no retry is left, or the endpoint is gone.';
comment on column deliveries.lease_id is 'Names the lease; null while nobody has it.';

comment on column report_facts.id is 'Begins with the real time.';
comment on column report_facts.currency is 'ISO 4217. All amounts are in its minor units.';
comment on column report_facts.paid_minor is 'Sales and Captures that succeeded; below zero for one that was voided or failed later.';
comment on column report_facts.refunded_minor is 'Refunds that succeeded, above zero; below zero for one that failed later.';
comment on column report_facts.orders_paid is 'Orders that were paid in full.';
comment on column report_facts.approved is 'Attempts to pay that were approved; below zero for one that was undone.';
comment on column report_facts.declined is 'Attempts to pay that failed.';
comment on column report_facts.declined_minor is 'The amount of a declined payment.';
comment on column report_facts.recurring_paid_minor is 'The part of paid_minor that belongs to orders of plans.';
comment on column report_facts.dunning_recovered_minor is 'The part of dunning_attempted_minor that was approved.';
comment on column report_facts.dunning_attempted_minor is 'Attempts of orders of plans after one that failed.';

comment on column report_days.currency is 'ISO 4217. All amounts are in its minor units.';
comment on column report_days.day is 'In the business''s time zone.';
comment on column report_days.paid_minor is 'Sales and Captures that succeeded on the day and still count.';
comment on column report_days.refunded_minor is 'Refunds that succeeded on the day and still count, above zero.';
comment on column report_days.orders_paid is 'Orders that were paid in full.';
comment on column report_days.approved is 'Attempts to pay of the day that were approved.';
comment on column report_days.declined is 'Attempts to pay of the day that failed.';
comment on column report_days.recurring_paid_minor is 'The part of paid_minor that belongs to orders of plans.';
comment on column report_days.dunning_recovered_minor is 'The part of dunning_attempted_minor that was approved.';
comment on column report_days.dunning_attempted_minor is 'Attempts of orders of plans after one that failed.';

comment on column report_declines.currency is 'ISO 4217.';
comment on column report_declines.day is 'In the business''s time zone.';
comment on column report_declines.decline_code is 'The acquirer''s response code.';
comment on column report_declines.count is 'Attempts to pay that failed with it.';
comment on column report_declines.declined_minor is 'Their amounts, in minor units of `currency`.';

comment on column report_plans.totals is
  '[{currency, plans, monthly_minor}]: plans that bill, and what they bill in an average month, in minor units as text; null before the first count.';
comment on column report_plans.counted_at is 'On the real clock; null before the first count.';
comment on column report_plans.due_at is 'When they are counted again, on the real clock; null while nobody asks.';

comment on column erasures.cause is 'Why: a request, the retention of the tenant, or a recovery that brought erased data back.';
comment on column erasures.reference_number is 'The customer''s. Erased with the last step.';
comment on column erasures.step is 'The index of the source that is erased next.';
comment on column erasures.cursor is 'Where the step goes on; '''' at its start.';
comment on column erasures.counts is 'Erased rows by table, of the first pass.';
comment on column erasures.created_at is 'On the business''s clock.';
comment on column erasures.completed_at is 'On the business''s clock; null while it runs.';

comment on column legal_holds.reason is 'The caller''s text.';
comment on column legal_holds.placed_by is 'The id of the API key or of the user.';
comment on column legal_holds.created_at is 'On the business''s clock.';

comment on column retention_settings.cursor_uuid is 'With cursor_at, the last customer that was looked at; null at the start.';
comment on column retention_settings.updated_at is 'On the business''s clock.';

comment on column bulk_actions.action is '`refund`, `void`, `cancel`, `change` or `redeliver`.';
comment on column bulk_actions.dry_run is 'Whether the items are only counted and nothing is done.';
comment on column bulk_actions.stop_reason is 'Which right the caller lost, such as `scope_missing`; null for one that was not stopped.';
comment on column bulk_actions.filter is 'The filter of the list, as the caller wrote it; null where the ids were given.';
comment on column bulk_actions.selection_cursor is 'Where the selection goes on; null at its start and where the ids were given.';
comment on column bulk_actions.options is '{note, at_period_end, change}; those that the action takes.';
comment on column bulk_actions.total is 'Items that were selected so far.';
comment on column bulk_actions.succeeded is 'Items that are done.';
comment on column bulk_actions.failed is 'Items that failed.';
comment on column bulk_actions.leased_until is 'On the real clock; null while nobody has the lease.';
comment on column bulk_actions.lease_id is 'Names the lease; null while nobody has it.';
comment on column bulk_actions.created_at is 'On the business''s clock.';
comment on column bulk_actions.completed_at is 'When it was completed, canceled or stopped, on the business''s clock.';

comment on column bulk_action_items.item_id is 'The order, transaction, plan or delivery.';
comment on column bulk_action_items.tries is 'How often it was put off.';
comment on column bulk_action_items.due_at is 'On the real clock.';
comment on column bulk_action_items.reason is 'Of the error of the operation; null for what has not failed.';
comment on column bulk_action_items.message is 'Of the error of the operation; null for what has not failed.';

comment on column payer_codes.order_id is 'The order on whose page the code was asked for.';
comment on column payer_codes.tries is 'How many codes were entered.';

-- Up Migration

comment on column apple_pay_domain_files.content is 'As Apple''s file has it, without white space around it.';
comment on column cards.issuer_brand is 'The network that the number belongs to.';
comment on column cards.title is 'The caller''s own; '''' for none.';
comment on column chain_transfers.destination_address is 'The address of the wallet (EIP-55).';
comment on column chain_transfers.source_address is 'As it is shown (EIP-55).';
comment on column customer_notes.created_at is 'On the business''s clock.';
comment on column disputes.updated_at is 'On the business''s clock.';
comment on column erasures.state is 'completed once every table was erased twice; what was written during the first pass is erased by the second.';
comment on column invoices.tax_minor is 'The tax of all lines.';
comment on column message_settings.reply_to is 'The address to which payers answer; null: the sender''s.';
comment on column message_templates.intro is 'The text above what the message says of its object. It replaces the greeting.';
comment on column message_templates.outro is 'The text below what the message says of its object.';
comment on column messages.language is 'In which the message is written.';
comment on column messages.lease_id is 'Names the lease; null while nobody has it.';
comment on column recurring_cycle_items.quantity is 'How many units each period bills.';
comment on column users.email_verified is 'False for a user who joined by a link that was not mailed.';
comment on column wallet_transactions.contract_address is ''''' for the native coin.';
comment on column wallet_transactions.destination_address is 'The address of the wallet (EIP-55).';
comment on column wallet_transactions.log_index is '-1 for the transaction''s own transfer of the native coin.';
comment on column wallet_transactions.source_address is 'As it is shown (EIP-55).';

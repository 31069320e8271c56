-- Up Migration
-- Needs programs from 0070
-- An older program does not know FPS.

alter table transactions drop constraint transactions_payment_method_check;
alter table transactions add constraint transactions_payment_method_check
  check (payment_method in ('payment_token', 'credit_card', 'wallet_a_pay', 'wallet_b', 'fps', 'bank_transfer', 'cash', 'cheque', 'other')) not valid;

-- Agreements by which a wallet is charged without its payer.
alter table payment_tokens
  add column wallet_name text collate "C",
  add column wallet_account text,
  add column next_action jsonb,
  add column agreement_end_at timestamptz;
alter table payment_tokens add constraint payment_tokens_wallet_name_check
  check (wallet_name in ('wechat_pay', 'alipay', 'alipay_hk')) not valid;
create index payment_tokens_agreement_end on payment_tokens (business_id, agreement_end_at) where agreement_end_at is not null;
comment on column payment_tokens.wallet_name is 'The real wallet of an agreement; null for cards and at the simulator.';
comment on column payment_tokens.wallet_account is 'The payer''s account at the wallet, masked by the acquirer.';
comment on column payment_tokens.next_action is 'What else than next_action_url the payer was asked for: {type, qrCode, form, expiresAt}; null: 3-D Secure at that URL.';
comment on column payment_tokens.agreement_end_at is 'When the acquirer is asked to end the agreement of a deleted token, on the business''s clock; null: nothing is to be ended.';

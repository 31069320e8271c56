-- Up Migration
-- Needs programs from 0061
-- An older program has no adapter for the account, and would read its rows all the same.

alter table acquirer_accounts drop constraint acquirer_accounts_acquirer_check;
alter table acquirer_accounts add constraint acquirer_accounts_acquirer_check
  check (acquirer in ('stripe', 'adyen', 'airwallex')) not valid;

alter table acquirer_accounts add column wallet_a text collate "C";
alter table acquirer_accounts add constraint acquirer_accounts_wallet_a_check check (wallet_a in ('wechat_pay')) not valid;
alter table acquirer_accounts add column wallet_b text collate "C";
alter table acquirer_accounts add constraint acquirer_accounts_wallet_b_check check (wallet_b in ('alipay', 'alipay_hk')) not valid;

comment on column acquirer_accounts.wallet_a is 'The wallet that pays as wallet_a_pay through this account; null where the account names none.';
comment on column acquirer_accounts.wallet_b is 'The wallet that pays as wallet_b through this account; null where the account names none.';
comment on column acquirer_accounts.methods is 'Of `credit_card`, `payment_token`, `wallet_a_pay`, `wallet_b` and `fps`.';

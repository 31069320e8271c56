-- Up Migration

-- The search and the lists find cards by their user and payment tokens by the card's last digits; disputes are looked up by
-- the acquirer's reference without its account.
create index cards_user on cards (business_id, p_user_id, created_at, id) where p_user_id is not null;
create index payment_tokens_last_4 on payment_tokens (business_id, last_4, created_at, token) where last_4 is not null;
create index disputes_by_reference on disputes (business_id, reference);

-- Up Migration
-- Needs programs from 0039
-- An older program would record outcomes without their rows.

-- What a program before 0039 changed afterwards.
delete from acquirer_transactions a using transactions t
 where t.business_id = a.business_id and t.id = a.transaction_id
   and (a.gateway_transaction_id, a.rrn, a.moved_at) is distinct from
       (nullif(t.gateway_transaction_id, ''), nullif(t.rrn, ''), case when t.type <> 'Authorization' then t.moved_at end);

insert into acquirer_transactions (business_id, transaction_id, account_id, gateway_transaction_id, rrn, moved_at)
select business_id, id, acquirer_account_id, nullif(gateway_transaction_id, ''), nullif(rrn, ''),
       case when type <> 'Authorization' then moved_at end
  from transactions
 where acquirer_account_id not in ('simulator', '') and (gateway_transaction_id <> '' or rrn <> '' or moved_at is not null)
on conflict (business_id, transaction_id) do nothing;

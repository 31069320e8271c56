-- Up Migration

-- While a table was never analyzed, PostgreSQL takes for granted that 200 businesses share its few rows. Then any index that begins with
-- business_id looks as good as the one that is meant: in the first seconds of a new database an order was looked up by its number among all
-- orders. So the planner is told
-- of one business, for the tables that a new installation fills first. From PostgreSQL 18 on only.
do $$
begin
  if exists (select from pg_proc where proname = 'pg_restore_attribute_stats') then
    perform pg_restore_attribute_stats(
              'schemaname', n.nspname::text, 'relname', c.relname::text, 'attname', a.attname::text,
              'inherited', false, 'version', 180000, 'null_frac', 0::real, 'avg_width', 30, 'n_distinct', 1::real)
       from pg_class c
       join pg_namespace n on n.oid = c.relnamespace
       join pg_attribute a on a.attrelid = c.oid and a.attname = 'business_id'
      where n.nspname = current_schema() and c.relname in (
          'acquirer_operations', 'apps', 'business_clocks', 'businesses', 'card_authorizations',
          'card_decision_hooks', 'card_limit_changes', 'card_limits', 'card_operations', 'card_usage', 'cards',
          'chain_transfers', 'customers', 'deliveries_default', 'deposit_addresses', 'events', 'idempotency_keys',
          'next_runs', 'orders', 'payment_tokens', 'recurring_billing_configs', 'recurring_credits',
          'recurring_cycle_items', 'recurring_cycles', 'recurring_items', 'recurring_orders', 'recurring_plans',
          'recurring_refused_tokens', 'signature_nonces', 'transactions', 'wallet_accounts', 'wallet_counters',
          'wallet_entries', 'wallet_fee_rules', 'wallet_holds', 'wallet_transactions', 'wallets', 'webhook_endpoints');
  end if;
end $$;

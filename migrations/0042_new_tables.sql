-- Up Migration

-- A plan that a session has made for an empty table stays until the table is analyzed, and reads all orders of a business to find one.
-- Autovacuum looks once a minute, so in the first minute of a new database checks of orders had a third of their speed. One table a
-- call, the largest first: after a crash PostgreSQL knows of no table that it was analyzed, and all together could take longer than a
-- statement may.
create function quittance_analyze_new_tables() returns void
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '2s' as $$
declare
  name text;
begin
  if not pg_try_advisory_xact_lock(hashtext('quittance_analyze_new_tables')) then
    return;
  end if;
  select relname into name from pg_stat_user_tables
   where schemaname = 'public' and n_live_tup >= 100 and last_analyze is null and last_autoanalyze is null
   order by n_live_tup desc limit 1;
  if name is not null then
    execute format('analyze %I', name);
  end if;
end $$;

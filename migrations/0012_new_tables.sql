-- Up Migration

-- While a table was never analyzed, PostgreSQL takes for granted that 200 businesses share its few rows. Then one
-- business has hardly any, and any index that begins with business_id looks as good as the one that is meant: for the
-- first seconds of a new database an order was looked up by its number among all orders. Most databases have one
-- business in a table, and the first analysis of the table (50 rows) says what is true. From PostgreSQL 18 on only.
do $$
begin
  if exists (select from pg_proc where proname = 'pg_restore_attribute_stats') then
    perform pg_restore_attribute_stats(
              'schemaname', n.nspname::text, 'relname', c.relname::text, 'attname', a.attname::text,
              'inherited', false, 'version', 180000, 'null_frac', 0::real, 'avg_width', 30, 'n_distinct', 1::real)
       from pg_class c
       join pg_namespace n on n.oid = c.relnamespace
       join pg_attribute a on a.attrelid = c.oid and a.attname = 'business_id'
      where n.nspname = current_schema() and c.relkind = 'r' and c.reltuples < 0;
  end if;
end $$;

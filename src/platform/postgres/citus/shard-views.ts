import { withOwnerConnection } from '#platform/postgres/owner-connection'
import { SERVICE_ROLE, type Shard } from '#platform/postgres/session'

/**
 * Makes a schema with a view of each table of tenants, as it is in this shard. Statements that find their tables there are
 * planned by PostgreSQL alone, which takes a fifth of the processor time that the planner of Citus takes, and hides other
 * tenants' rows as it does without Citus (docs/decisions/tenants-live-on-nodes).
 * @param nodeUrl the node that has the shard
 */
export async function createShardViews(nodeUrl: string, { id, schema }: Shard): Promise<void> {
  await withOwnerConnection(nodeUrl, async (owner) => {
    await owner.query(`set citus.enable_ddl_propagation to off`)
    await owner.query('begin')
    await owner.query('select pg_advisory_xact_lock(hashtext($1))', [schema])
    const { rows: made } = await owner.query('select to_regnamespace($1) as schema where to_regnamespace($1) is not null', [schema])
    if (made.length === 0) {
      const { rows: tables } = await owner.query<{ name: string; shard: string }>(
        `select c.relname as name, quote_ident(c.relname || '_' || s.shardid) as shard
           from pg_dist_shard s
           join pg_dist_partition p on p.logicalrelid = s.logicalrelid and p.partmethod = 'h'
           join pg_class c on c.oid = s.logicalrelid and not c.relispartition
          where s.shardminvalue = (select shardminvalue from pg_dist_shard where shardid = $1)`,
        [id],
      )
      await owner.query(`create schema ${schema}`)
      await owner.query(`grant usage on schema ${schema} to ${SERVICE_ROLE}`)
      for (const { name, shard } of tables) {
        await owner.query(
          `create view ${schema}.${name} with (security_invoker = true) as select * from public.${shard}`,
        )
      }
      await owner.query(`grant select, insert, update, delete on all tables in schema ${schema} to ${SERVICE_ROLE}`)
    }
    await owner.query('commit')
  })
}

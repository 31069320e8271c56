import type pg from 'pg'
import { FIRST_TABLE } from '#platform/postgres/citus/distribute'
import { urlOnHost } from '#platform/postgres/hosts/host-list'
import { withOwnerConnection } from '#platform/postgres/owner-connection'
import { SCHEMA, SERVICE_ROLE, type Shard } from '#platform/postgres/session'

type Connection = Pick<pg.Client, 'query'>

/** Every version has views of its own, so that old and new processes run side by side. */
export function shardOf(id: string, version: string): Shard {
  return { id, schema: `shard_${id}_${version}`, references: `references_${version}` }
}

/**
 * Makes the views of every shard on its node, so that no request waits for them. A process makes those of a shard that is
 * moved later.
 * @param url of the coordinator
 */
export async function createAllShardViews(url: string, version: string): Promise<void> {
  const shards = await withOwnerConnection(url, async (owner) => {
    const { rows } = await owner.query<{ host: string; port: number; shard: string }>(
      `select n.nodename as host, n.nodeport as port, p.shardid::text as shard
         from pg_dist_shard s
         join pg_dist_placement p using (shardid)
         join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
        where s.logicalrelid = '${FIRST_TABLE}'::regclass
        order by s.shardid`,
    )
    return rows
  })
  const nodes = Map.groupBy(shards, ({ host, port }) => urlOnHost(url, host, port))
  await Promise.all(
    [...nodes].map(async ([nodeUrl, ofNode]) => {
      for (const { shard } of ofNode) await createShardViews(nodeUrl, shardOf(shard, version))
    }),
  )
}

/**
 * Makes a schema with a view of each table of tenants, as it is in this shard, and with the functions that write there as
 * their owner. Statements that find their tables there are planned by PostgreSQL alone, which takes a fifth of the processor
 * time that the planner of Citus takes, and hides other tenants' rows as it does without Citus
 * (docs/decisions/tenants-live-on-nodes).
 * @param nodeUrl the node that has the shard
 */
export async function createShardViews(nodeUrl: string, shard: Shard): Promise<void> {
  await withOwnerConnection(nodeUrl, async (owner) => {
    await owner.query('set citus.enable_ddl_propagation to off')
    await owner.query('begin')
    await owner.query(`select pg_advisory_xact_lock(hashtext('quittance_shard_views'))`)
    await createViews(owner, {
      schema: shard.schema,
      kind: 'h',
      shard: shard.id,
      rights: 'select, insert, update, delete',
    })
    await createViews(owner, { schema: shard.references, kind: 'n', shard: null, rights: 'select' })
    await owner.query('commit')
  })
}

/** - `kind`: As in `pg_dist_partition`: `h` for distributed, `n` for reference tables. - `shard`: One of the shards to show. */
interface Views {
  readonly schema: string
  readonly kind: 'h' | 'n'
  readonly shard: string | null
  readonly rights: string
}

async function createViews(owner: Connection, { schema, kind, shard, rights }: Views): Promise<void> {
  const { rows: tables } = await owner.query<{ name: string; shard: string; isMade: boolean }>(
    `select c.relname as name, quote_ident(c.relname || '_' || s.shardid) as shard,
            to_regclass($3 || '.' || quote_ident(c.relname)) is not null as "isMade"
       from pg_dist_shard s
       join pg_dist_partition p on p.logicalrelid = s.logicalrelid and p.partmethod = $1
       join pg_class c on c.oid = s.logicalrelid and not c.relispartition
      where ($1 = 'n' and p.repmodel = 't')
         or ($1 = 'h' and s.shardminvalue = (select shardminvalue from pg_dist_shard where shardid = $2))`,
    [kind, shard, schema],
  )
  if (tables.every(({ isMade }) => isMade)) return
  // Of a shard that was here before, the schema is left and the views are gone.
  await owner.query(`drop schema if exists ${schema} cascade`)
  await owner.query(`create schema ${schema}`)
  await owner.query(`grant usage on schema ${schema} to ${SERVICE_ROLE}`)
  for (const { name, shard: relation } of tables) {
    await owner.query(
      `create view ${schema}.${name} with (security_invoker = true) as select * from ${SCHEMA}.${relation}`,
    )
  }
  await owner.query(`grant ${rights} on all tables in schema ${schema} to ${SERVICE_ROLE}`)
  if (shard !== null) await copyFunctions(owner, schema)
}

/** They run as the owner of the tables, so each sets a search path of its own, which knows nothing of shards. */
const OWNER_FUNCTIONS = ['quittance_append_audit_entry', 'quittance_erase_audit_entries']

/** The copies search the schema of the shard first. */
async function copyFunctions(owner: Connection, schema: string): Promise<void> {
  const { rows } = await owner.query<{ signature: string; definition: string }>(
    `select format('%I(%s)', p.proname, pg_get_function_identity_arguments(p.oid)) as signature,
            pg_get_functiondef(p.oid) as definition
       from pg_proc p
      where p.pronamespace = '${SCHEMA}'::regnamespace and p.proname = any($1)`,
    [OWNER_FUNCTIONS],
  )
  for (const { signature, definition } of rows) {
    await owner.query(
      definition
        .replace(`FUNCTION ${SCHEMA}.`, `FUNCTION ${schema}.`)
        .replace(`SET search_path TO '${SCHEMA}'`, `SET search_path TO '${schema}', '${SCHEMA}'`),
    )
    await owner.query(`revoke all on function ${schema}.${signature} from public`)
    await owner.query(`grant execute on function ${schema}.${signature} to ${SERVICE_ROLE}`)
  }
}

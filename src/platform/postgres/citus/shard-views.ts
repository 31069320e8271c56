import type pg from 'pg'
import { FIRST_TABLE } from '#platform/postgres/citus/setup/distribute'
import { urlOnHost } from '#platform/postgres/hosts/host-list'
import { withRetries } from '#platform/postgres/database-errors'
import type { MigrationFile } from '#platform/postgres/migrations/migration-files'
import { withOwnerConnection } from '#platform/postgres/owner-connection'
import type { Shard } from '#platform/postgres/citus/shard-session'
import { SCHEMA, SERVICE_ROLE } from '#platform/postgres/session'
import { codeOf } from '#platform/thrown'

type Connection = Pick<pg.Client, 'query'>

/** Every version has views of its own, so that old and new processes run side by side. */
export function shardOf(id: string, version: string): Shard {
  return { id, schema: `shard_${id}_${version}`, references: `references_${version}` }
}

/**
 * Makes the views of every shard on its node, so that no request waits for them. If a shard is moved later, a process makes its
 * views.
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
  await whileNoMigrationRuns(url, () =>
    Promise.all(
      [...nodes].map(async ([nodeUrl, ofNode]) => {
        for (const { shard } of ofNode) await createShardViews(nodeUrl, shardOf(shard, version))
      }),
    ),
  )
}

/** Views that other processes make meanwhile would keep the migration from changing the columns that they show. */
export function whileNoMigrationRuns(coordinatorUrl: string, work: () => Promise<unknown>): Promise<void> {
  return withOwnerConnection(coordinatorUrl, async (owner) => {
    await owner.query(`begin; lock table ${SCHEMA}.migration_gate in access share mode`)
    await work()
  })
}

/** A view shows the column that is dropped, Citus refuses a change of a table with views, or tenants lock tables in another order. */
const VIEW_IN_THE_WAY = new Set(['2BP01', '0A000', '40P01'])

/**
 * Views stay while tables and columns are added, so that tenants do not wait for new views. They are dropped before a migration
 * that older programs do not survive, or that replaces one of their functions. They are also dropped when they block a migration:
 * after the first deadlock no tenant enters its shard until the migration has ended.
 * @param url of the coordinator
 */
export async function migrateBesideViews<T>(
  url: string,
  pending: readonly Pick<MigrationFile, 'needs' | 'text'>[],
  run: () => Promise<T>,
): Promise<T> {
  const replaces = ({ needs, text }: Pick<MigrationFile, 'needs' | 'text'>) =>
    needs !== null || OWNER_FUNCTIONS.some((name) => text.includes(name))
  if (!pending.some(replaces)) {
    try {
      return await run()
    } catch (error) {
      if (!VIEW_IN_THE_WAY.has(codeOf(error) ?? '')) throw error
    }
  }
  await dropShardViews(url)
  return run()
}

async function dropShardViews(url: string): Promise<void> {
  await onAllNodes(url, async (owner) => {
    for (const { schema, shard } of await schemasOf(owner)) {
      await withRetries(() => dropViews(owner, schema, shard))
    }
  })
}

export async function dropViewsOfOldVersions(url: string, versions: readonly string[]): Promise<void> {
  await onAllNodes(url, async (owner) => {
    for (const { schema } of await schemasOf(owner)) {
      if (!versions.includes(schema.slice(-4))) await dropViews(owner, schema, null)
    }
  })
}

async function onAllNodes(url: string, work: (owner: Connection) => Promise<void>): Promise<void> {
  const nodes = await withOwnerConnection(url, async (owner) => {
    const { rows } = await owner.query<{ host: string; port: number }>(
      `select nodename as host, nodeport as port from pg_dist_node where isactive and noderole = 'primary'`,
    )
    return rows
  })
  await Promise.all(
    nodes.map(({ host, port }) =>
      withOwnerConnection(urlOnHost(url, host, port), async (owner) => {
        await owner.query('set citus.enable_ddl_propagation to off')
        await work(owner)
      }),
    ),
  )
}

async function schemasOf(owner: Connection): Promise<{ schema: string; shard: string | null }[]> {
  const { rows } = await owner.query<{ schema: string; shard: string | null }>(
    `select nspname as schema, s.shardid::text as shard
       from pg_namespace left join pg_dist_shard s on s.shardid::text = substring(nspname from '^shard_([0-9]+)_')
      where nspname ~ '^(shard_[0-9]+|references)_[0-9]{4}$'
      order by nspname ~ '^references', nspname`,
  )
  return rows
}

/**
 * First takes the lock for which all work in the shard waits (setup/distribute.ts); 7 is EXCLUSIVE. Without it, dropping the views
 * one by one could deadlock with a transaction that reads them in another order.
 */
async function dropViews(owner: Connection, schema: string, shard: string | null): Promise<void> {
  await owner.query('begin')
  try {
    if (shard !== null) await owner.query('select lock_shard_metadata(7, array[$1::bigint])', [shard])
    await owner.query(`drop schema if exists ${schema} cascade`)
    await owner.query('commit')
  } catch (error) {
    await owner.query('rollback')
    throw error
  }
}

/**
 * Makes a schema with a view of each of the tenants' tables in this shard, and with the functions that run there as their
 * owner. PostgreSQL alone plans statements on this schema. That takes a fifth of the processor time of the planner of Citus, and
 * hides other tenants' rows as without Citus (docs/decisions/0076-tenants-live-on-nodes).
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
  const missing = tables.filter(({ isMade }) => !isMade)
  if (missing.length === 0) return
  await owner.query(`create schema if not exists ${schema}`)
  await owner.query(`grant usage on schema ${schema} to ${SERVICE_ROLE}`)
  for (const { name, shard: relation } of missing) {
    await owner.query(
      `create view ${schema}.${name} with (security_invoker = true) as select * from ${SCHEMA}.${relation}`,
    )
  }
  await owner.query(`grant ${rights} on all tables in schema ${schema} to ${SERVICE_ROLE}`)
  if (shard !== null) await copyFunctions(owner, schema)
}

/** These functions run as the owner of the tables, so each sets a search path of its own, which does not include shards. */
export const OWNER_FUNCTIONS = [
  'quittance_append_audit_entry',
  'quittance_erase_audit_entries',
  'quittance_requests_with',
]

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

import type pg from 'pg'
import { SERVICE_ROLE } from '#platform/postgres/session'

type Connection = Pick<pg.Client, 'query'>

export const FIRST_TABLE = 'business_clocks'

/**
 * Hides Citus from the functions that migrations call, so that a database is migrated as on PostgreSQL until it is
 * distributed. Temporary views shadow the system's tables.
 */
export async function hideCitus(connection: Connection): Promise<void> {
  await connection.query(
    `create temp view pg_extension as select * from pg_catalog.pg_extension where extname <> 'citus'`,
  )
}

/** Migrations change several tables in one transaction, which Citus allows on one connection for each node only. */
export async function useOneConnectionForEachNode(connection: Connection): Promise<void> {
  await connection.query(`set citus.multi_shard_modify_mode to 'sequential'`)
}

/** Whether `distribute` has nothing left to do. Asks the coordinator only, so a process can start while a node is away. */
async function isFullyDistributed(connection: Connection): Promise<boolean> {
  const { rows } = await connection.query<{ complete: boolean | null }>(
    `select to_regclass('foreign_keys_set_aside') is null
            and (select prosrc = $1 from pg_proc where oid = to_regprocedure('quittance_enter_shard(bigint, text)'))
            and not exists (select from placements p
                             where p.placement <> 'local'
                               and not exists (select from pg_dist_partition d where d.logicalrelid = to_regclass(p.name)))
            as complete`,
    [ENTER_SHARD_BODY],
  )
  return rows[0]?.complete === true
}

/**
 * Distributes the tables as `placements` says. Each step commits by itself: one transaction would lock more shards than
 * PostgreSQL has room for. After a crash the next call continues.
 * @returns whether anything was left to do
 */
export async function distribute(connection: Connection): Promise<boolean> {
  if (await isFullyDistributed(connection)) return false
  await setForeignKeysAside(connection)
  const { rows } = await connection.query<{ name: string; placement: string }>(
    `select p.name, p.placement from placements p
      where p.placement <> 'local'
        and not exists (select from pg_dist_partition d where d.logicalrelid = to_regclass(p.name))
      order by p.name <> $1, p.placement, p.name`,
    [FIRST_TABLE],
  )
  for (const { name, placement } of rows) {
    await connection.query(distributionOf(name, placement), [name])
  }
  await restoreForeignKeys(connection)
  await connection.query(ENTER_SHARD)
  return true
}

/** The SQLSTATE of a transaction or a statement on a node without its shard or the shard's views. */
export const NOT_HERE = 'QT001'

/**
 * Our statements name shards directly. So they take the same lock as statements of Citus, for which a move of the shard waits.
 * Only the owner of the tables may call `lock_shard_metadata`; 5 is SHARE. When a shard moves away, its views are dropped, and
 * their schema stays. All names are qualified, because a search path of its own would make the function cost a third more.
 */
const ENTER_SHARD_BODY = `
  begin
    perform pg_catalog.lock_shard_metadata(5, array[shard]);
    perform from pg_catalog.pg_dist_placement p
       join pg_catalog.pg_dist_local_group g on g.groupid operator(pg_catalog.=) p.groupid
      where p.shardid operator(pg_catalog.=) shard;
    if not found or pg_catalog.to_regclass(views operator(pg_catalog.||) '.${FIRST_TABLE}') is null then
      raise exception 'the shard % is not here', shard using errcode = '${NOT_HERE}';
    end if;
  end `

const ENTER_SHARD = `
  create or replace function quittance_enter_shard(shard bigint, views text) returns void
  language plpgsql security definer as $$${ENTER_SHARD_BODY}$$;
  revoke all on function quittance_enter_shard(bigint, text) from public;
  grant execute on function quittance_enter_shard(bigint, text) to ${SERVICE_ROLE}`

function distributionOf(name: string, placement: string): string {
  if (placement === 'reference') return 'select create_reference_table($1)'
  if (placement === 'coordinator') return 'select citus_add_local_table_to_metadata($1)'
  const neighbour = name === FIRST_TABLE ? 'none' : FIRST_TABLE
  return `select create_distributed_table($1, 'business_id', colocate_with => '${neighbour}')`
}

/** A table cannot be distributed while a table that is not distributed refers to it. Two of our tables refer to each other. */
async function setForeignKeysAside(connection: Connection): Promise<void> {
  await connection.query(
    `create table if not exists foreign_keys_set_aside (relation text, name text, definition text)`,
  )
  await connection.query(`
    do $$
    declare key record;
    begin
      for key in select c.conrelid::regclass::text as relation, c.conname as name, pg_get_constraintdef(c.oid) as definition
                   from pg_constraint c join placements p on c.conrelid = to_regclass(p.name)
                  where c.contype = 'f' and p.placement <> 'local'
                    and not exists (select from pg_dist_partition d where d.logicalrelid = c.conrelid) loop
        insert into foreign_keys_set_aside values (key.relation, key.name, key.definition);
        execute format('alter table %s drop constraint %I', key.relation, key.name);
      end loop;
    end $$`)
}

async function restoreForeignKeys(connection: Connection): Promise<void> {
  const { rows } = await connection.query<{ statement: string }>(
    `select format('alter table %s add constraint %I %s', relation, name, definition) as statement
       from foreign_keys_set_aside k
      where not exists (select from pg_constraint c where c.conrelid = k.relation::regclass and c.conname = k.name)`,
  )
  for (const { statement } of rows) await connection.query(statement)
  await connection.query('drop table foreign_keys_set_aside')
}

import type pg from 'pg'
import sql, { empty, type Sql } from 'sql-template-tag'
import type { ClockRow } from '#platform/postgres/business-clock'
import type { TransactOptions } from '#platform/postgres/database'
import { SCHEMA, SHARED_ROLE, type Shard } from '#platform/postgres/session'
import { wire } from '#platform/postgres/wire/current-wire'

export async function readClock(
  client: pg.PoolClient,
  businessId: string,
  calls: Sql = empty,
): Promise<ClockRow> {
  const { rows } = await wire.queryInTransaction<ClockRow>(
    client,
    sql`select c.offset_ms, c.frozen_at
          from business_clocks c${calls}
         where c.business_id = ${businessId}`,
  )
  const [clock] = rows
  if (clock === undefined) throw new Error(`no business ${businessId}`)
  return clock
}

export function setTenant(businessId: string): Sql {
  return sql`set_config('quittance.business_id', ${businessId}, true)`
}

/**
 * On a node of Citus: keeps the shard there until the transaction ends, and fails if it was moved (citus/distribute.ts).
 * Transactions with shared tables go on as the role that Citus may take to other nodes.
 */
export async function enterShard(
  client: pg.PoolClient,
  shard: Shard,
  { usesSharedTables, isUnbounded }: TransactOptions,
): Promise<void> {
  const entered = wire.queryInTransaction(client, enteringShard(shard))
  if (usesSharedTables !== true && isUnbounded !== true) return void (await entered)
  const shared = sql`
    select set_config('role', ${SHARED_ROLE}, true), set_config('search_path', ${`${shard.schema}, ${SCHEMA}`}, true)`
  await Promise.all([entered, wire.queryInTransaction(client, shared)])
}

export function enteringShard({ id, schema }: Shard): Sql {
  return sql`select quittance_enter_shard(${id}::bigint, ${schema}::text)`
}

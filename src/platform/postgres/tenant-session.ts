import type pg from 'pg'
import sql, { empty, raw, type Sql } from 'sql-template-tag'
import type { ClockRow } from '#platform/postgres/business-clock'
import { SHARED_ROLE } from '#platform/postgres/session'
import { wire } from '#platform/postgres/wire/current-wire'

export async function readClock(client: pg.PoolClient, businessId: string, calls: Sql = empty): Promise<ClockRow> {
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
 * On a node of Citus: lets the open transaction use tables that belong to no tenant, also those of other nodes. The tenant
 * goes along with its statements in case that its shard is being moved. SET takes no parameters.
 */
export async function useSharedTables(client: pg.PoolClient, businessId: string): Promise<void> {
  if (!/^\w+$/.test(businessId)) throw new Error(`${businessId} is no id of a business`)
  await Promise.all([
    wire.queryInTransaction(client, sql`set local citus.propagate_set_commands to 'local'`),
    wire.queryInTransaction(client, sql`set local role ${raw(SHARED_ROLE)}`),
    wire.queryInTransaction(client, raw(`set local quittance.business_id to '${businessId}'`), {
      isPrepared: false,
    }),
  ])
}

import sql from 'sql-template-tag'
import { SCHEMA, type SessionOptions } from '#platform/postgres/session'
import { allSucceeded } from '#platform/postgres/tenant-session'
import { wire } from '#platform/postgres/wire/current-wire'

export const SHARED_ROLE = 'quittance_shared'

/**
 * A shard of the tenants' tables on a node of Citus. `schema` has a view of each of these tables. `references` has a read-only
 * view of each table that every node has (shard-views.ts).
 */
export interface Shard {
  readonly id: string
  readonly schema: string
  readonly references: string
}

/**
 * Sessions that keep the shard on their node until a transaction ends, and fail if it was moved (setup/distribute.ts).
 * Transactions with shared tables run as the role that Citus may use on other nodes.
 */
export function sessionOf({ id, schema, references }: Shard): SessionOptions {
  const statement = sql`select quittance_enter_shard(${id}::bigint, ${schema}::text)`
  const shared = sql`
    select set_config('role', ${SHARED_ROLE}, true), set_config('search_path', ${`${schema}, ${SCHEMA}`}, true)`
  return {
    searchPath: `${schema}, ${references}, ${SCHEMA}`,
    entering: {
      statement,
      transaction: async (client, { usesSharedTables, isUnbounded }) => {
        const entered = wire.queryInTransaction(client, statement)
        if (usesSharedTables !== true && isUnbounded !== true) return void (await entered)
        await allSucceeded([entered, wire.queryInTransaction(client, shared)])
      },
    },
  }
}

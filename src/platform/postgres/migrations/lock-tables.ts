import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { SCHEMA } from '#platform/postgres/session'
import { codeOf } from '#platform/thrown'
import type { MigrationFile } from './migration-files.ts'

const LOCK_NOT_AVAILABLE = '55P03'
/** Less than PostgreSQL's deadlock_timeout of a second, after which it would end one of those who wait for each other. */
const MAX_WAIT_MS = 200
/** With the waits and pauses six seconds, in which short transactions end. */
const MAX_ATTEMPTS = 25
const MAX_PAUSE_MS = 100

const COMMENT = /--[^\n]*/g
/** What a statement locks, and how strongly, from the weakest mode on. An index stands for its table. */
const LOCKS: readonly (readonly [mode: string, statement: RegExp])[] = [
  ['share', /\bcreate\s+(?:unique\s+)?index\s+\w+\s+on\s+(\w+)/gi],
  ['share row exclusive', /\breferences\s+(\w+)/gi],
  ['access exclusive', /\b(?:alter\s+table(?:\s+only)?|drop\s+index)\s+(\w+)/gi],
]

/** A client that takes the locks of all pending migrations as soon as it has sent BEGIN. */
export function lockingAtBegin(
  client: pg.Client,
  pending: readonly Pick<MigrationFile, 'text'>[],
): pg.Client {
  const query = async (text: unknown, ...rest: unknown[]): Promise<unknown> => {
    const send = client.query.bind(client) as (text: unknown, ...rest: unknown[]) => Promise<unknown>
    const result = await send(text, ...rest)
    if (text === 'BEGIN') await lockTables(client, pending)
    return result
  }
  return new Proxy(client, { get: (target, name) => (name === 'query' ? query : Reflect.get(target, name)) })
}

/**
 * Locks the tables that the service's transactions lock in another order than the migrations change them. Tables that others
 * refer to come first, because payments lock an order before its transactions. Jobs lock in other orders, so no lock is awaited
 * for long while another one is held. After the last attempt, PostgreSQL resolves the deadlock.
 */
async function lockTables(
  client: Pick<pg.Client, 'query'>,
  pending: readonly Pick<MigrationFile, 'text'>[],
): Promise<void> {
  const tables = await tablesToLock(client, pending)
  if (tables.length < 2) return
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    await client.query(`savepoint unlocked; set local lock_timeout to ${MAX_WAIT_MS}`)
    try {
      for (const { name, mode } of tables) await client.query(`lock table ${name} in ${mode} mode`)
      await client.query('set local lock_timeout to default')
      return
    } catch (error) {
      if (codeOf(error) !== LOCK_NOT_AVAILABLE) throw error
      await client.query('rollback to savepoint unlocked')
    }
    await sleep(Math.random() * MAX_PAUSE_MS)
  }
}

async function tablesToLock(
  client: Pick<pg.Client, 'query'>,
  pending: readonly Pick<MigrationFile, 'text'>[],
): Promise<{ name: string; mode: string }[]> {
  const text = pending.map((migration) => migration.text.replaceAll(COMMENT, '')).join('\n')
  const named = LOCKS.flatMap(([, statement], strength) =>
    [...text.matchAll(statement)].map(([, name]) => ({ name, strength })),
  )
  const { rows } = await client.query<{ name: string; strength: number }>(
    `with recursive depths (relation, depth) as (
       select oid, 0 from pg_class where relnamespace = '${SCHEMA}'::regnamespace and relkind in ('r', 'p')
       union
       select k.conrelid, d.depth + 1 from depths d join pg_constraint k on k.confrelid = d.relation and k.contype = 'f'
        where k.conrelid <> k.confrelid and d.depth < 8)
     select c.oid::regclass::text as name, max(n.strength) as strength
       from json_to_recordset($1) as n (name text, strength integer)
       left join pg_index i on i.indexrelid = to_regclass(n.name)
       join pg_class c on c.oid = coalesce(i.indrelid, to_regclass(n.name))
       join depths d on d.relation = c.oid
      group by c.oid order by max(d.depth), c.oid::regclass::text`,
    [JSON.stringify(named)],
  )
  return rows.map(({ name, strength }) => ({ name, mode: LOCKS[strength]?.[0] ?? 'access exclusive' }))
}

import pg from 'pg'
import { UnfitDatabase } from '#platform/postgres/migrations/unfit-database'
import { CONNECT_TIMEOUT_MS, withDeadline } from '#platform/postgres/session'

/** A pool that lends may happen to lend the same connection again. */
const LENDING_ROUNDS = 5
const MAX_CHECK_MS = 2 * CONNECT_TIMEOUT_MS

type Setting = 'DATABASE_URL' | 'DATABASE_REPLICA_URL'

/**
 * Refuses a pool that lends by transaction or statement, in which session settings, and with them the tenant, leak between transactions.
 * PostgreSQL sends a client the number of the process that serves it; a pool makes up a number. If the numbers differ, the
 * second connection holds a process in a transaction. The pool lends if the first connection is then served by that process,
 * or by another one than before. Throws `UnfitDatabase`.
 */
export async function refuseLentConnections(
  setting: Setting,
  first: pg.Client,
  second: pg.Client,
): Promise<void> {
  const { processID } = first as { readonly processID?: number | null }
  if (processID === (await backendOf(first))) return
  for (let round = 0; round < LENDING_ROUNDS; round++) {
    if (await isLent(first, second)) {
      throw new UnfitDatabase(
        `${setting} leads to a connection pool that lends connections by transaction or statement: set it to session mode (pgbouncer: pool_mode = session), or connect to the database itself.`,
      )
    }
  }
}

export async function refuseLentReplica(url: string): Promise<void> {
  const [first, second] = [newClient(url), newClient(url)]
  const check = async (): Promise<void> => {
    try {
      await Promise.all([first.connect(), second.connect()])
      await refuseLentConnections('DATABASE_REPLICA_URL', first, second)
    } finally {
      await Promise.allSettled([first.end(), second.end()])
    }
  }
  await withDeadline(first, MAX_CHECK_MS, withDeadline(second, MAX_CHECK_MS, check()))
}

function newClient(url: string): pg.Client {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
  client.on('error', () => {})
  return client
}

async function isLent(first: pg.Client, second: pg.Client): Promise<boolean> {
  const before = await backendOf(first)
  try {
    await second.query('begin')
  } catch (error) {
    if (await answers(first)) return true
    throw error
  }
  try {
    // A pool of one process would let the first connection wait for it.
    return (await backendOf(second)) === before || (await backendOf(first)) !== before
  } finally {
    await second.query('rollback')
  }
}

function answers(client: pg.Client): Promise<boolean> {
  return backendOf(client).then(
    () => true,
    () => false,
  )
}

async function backendOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}

import pg from 'pg'
import { writableUrl } from '#platform/postgres/hosts/hosts'
import { CONNECT_TIMEOUT_MS } from '#platform/postgres/session'

/** Runs `work` on a separate connection, as the owner of the tables, to whom row-level security does not apply. */
export async function withOwnerConnection<T>(
  url: string,
  work: (connection: Pick<pg.Client, 'query'>) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: await writableUrl(url),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

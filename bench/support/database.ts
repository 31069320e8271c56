import pg from 'pg'

/** A connection of its own to a database, beside the service's. */
export async function withDatabase<T>(url: string, work: (database: pg.Client) => Promise<T>): Promise<T> {
  const database = new pg.Client({ connectionString: url })
  await database.connect()
  try {
    return await work(database)
  } finally {
    await database.end()
  }
}

/** What the server's autovacuum does for tables that grew over days; these grew in a moment. */
export async function settleTables(url: string): Promise<void> {
  await withDatabase(url, async (database) => {
    await database.query('vacuum (analyze)')
    await database.query('checkpoint')
  })
}

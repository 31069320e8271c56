import pg from 'pg'

export async function withDatabase<T>(url: string, use: (database: pg.Client) => Promise<T>): Promise<T> {
  const database = new pg.Client({ connectionString: url })
  await database.connect()
  try {
    return await use(database)
  } finally {
    await database.end()
  }
}

/** Autovacuum would be too late: these tables grow within seconds. */
export async function vacuumAndCheckpoint(url: string): Promise<void> {
  await withDatabase(url, async (database) => {
    await database.query('vacuum (analyze)')
    await database.query('checkpoint')
  })
}

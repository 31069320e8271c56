import pg from 'pg'
import { afterAll, inject } from 'vitest'
import { newId } from '#kernel/ids'
import type { Caller } from '#platform/caller'
import { Database } from '#platform/postgres/database'
import { withDatabase } from './postgres.ts'
import { eventually } from './until.ts'

export interface TestDatabase {
  readonly db: Database
  readonly url: string
  readonly admin: pg.Client
}

/** A migrated database for the test file, dropped after its last test. Call this at the top of the file. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const serverUrl = inject('postgresUrl')
  const name = newId('test')
  await onServer(serverUrl, `create database ${name} template ${inject('templateDatabase')}`)
  const url = withDatabase(serverUrl, name)
  const db = new Database({ url, maxConnections: 10, readers: 1 })
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  afterAll(async () => {
    await db.close()
    await admin.end()
    await onServer(serverUrl, `drop database if exists ${name} with (force)`)
  })
  return { db, url, admin }
}

/** Returns the URL of a database without tables, dropped after the last test of the file. */
export async function createEmptyDatabase(): Promise<string> {
  const serverUrl = inject('postgresUrl')
  const name = newId('empty')
  await onServer(serverUrl, `create database ${name}`)
  afterAll(() => onServer(serverUrl, `drop database if exists ${name} with (force)`))
  return withDatabase(serverUrl, name)
}

export async function untilWaiting(client: pg.Client, connections: number): Promise<void> {
  const waiting = async () => {
    await client.query('select pg_stat_clear_snapshot()')
    const { rowCount } = await client.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rowCount
  }
  await eventually(waiting, (count) => count === connections)
}

/** Retries, because PostgreSQL refuses to copy a template that is being copied already. */
async function onServer(url: string, statement: string): Promise<void> {
  const OBJECT_IN_USE = '55006'
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        await client.query(statement)
        return
      } catch (error) {
        if (attempt >= 50 || !(error instanceof pg.DatabaseError && error.code === OBJECT_IN_USE)) throw error
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
  } finally {
    await client.end()
  }
}

export interface TestBusiness {
  readonly businessId: string
  readonly caller: Caller
}

/** A tenant whose clock shows real time unless `offsetMs` is given, and a caller of that tenant. */
export async function createTestBusiness(
  test: TestDatabase,
  options: { offsetMs?: number } = {},
): Promise<TestBusiness> {
  const businessId = newId('biz')
  await test.admin.query('insert into business_clocks (business_id, offset_ms) values ($1, $2)', [
    businessId,
    options.offsetMs ?? 0,
  ])
  const caller: Caller = {
    businessId,
    businessCode: `code-${businessId}`,
    environment: 'test',
    appId: newId('app'),
    actor: { type: 'api_key', id: newId('key') },
    requestId: newId('req'),
  }
  return { businessId, caller }
}

export async function createTestBusinesses(test: TestDatabase, count: number): Promise<TestBusiness[]> {
  const made: TestBusiness[] = []
  while (made.length < count) made.push(await createTestBusiness(test))
  return made
}

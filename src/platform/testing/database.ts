import { randomInt } from 'node:crypto'
import pg from 'pg'
import { expect, inject, onTestFinished } from 'vitest'
import { newId } from '#kernel/ids'
import type { Caller } from '#platform/caller'
import { openDatabase } from '#platform/postgres/open-database'
import { DistributedDatabase } from '#platform/postgres/citus/distributed-database'
import { shardOf } from '#platform/postgres/citus/shard-views'
import { type Placement, placementOf } from '#platform/postgres/citus/tenant-nodes'
import type { Database, Tx } from '#platform/postgres/database'
import { urlOnHost } from '#platform/postgres/hosts/host-list'
import { checkingPlacements, readPlacements, takeRefused } from '#platform/postgres/citus/testing/placements'
import { takePlans, watchPlans } from '#platform/postgres/citus/testing/plans'
import { newestMigration } from '#platform/postgres/migrations/migration-files'
import { cleanUp } from './clean-up.ts'
import { recordStatements } from './sent-statements.ts'
import { type CitusNode, createOnServers, dropOnServers, onServer, withDatabase } from './postgres.ts'
import { eventually } from './until.ts'

const MAX_NUMBER = 2 ** 31
/** With the service's limit, a process that a busy machine holds up for five seconds loses its transaction. */
const PATIENT = { idle_in_transaction_session_timeout: '60s' }

export interface TestDatabase {
  readonly db: Database
  readonly url: string
  readonly admin: pg.Client
}

/** - `isPlain`: Uses one PostgreSQL even on Citus, for tests that stop or count its sessions. */
interface TestDatabaseOptions {
  readonly isPlain?: boolean
}

export async function createTestDatabase({
  isPlain = false,
}: TestDatabaseOptions = {}): Promise<TestDatabase> {
  recordStatements()
  const serverUrl = inject('postgresUrl')
  const nodes = isPlain ? [] : inject('citusNodes')
  const name = newId('test')
  const template = inject(isPlain ? 'plainTemplateDatabase' : 'templateDatabase')
  await createOnServers(serverUrl, nodes, name, template)
  if (nodes.length > 0) await watchPlans(serverUrl, nodes, name)
  const url = withDatabase(serverUrl, name)
  const opened = await openDatabase({ url, maxConnections: 10, readers: 1, settings: PATIENT })
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  const db = nodes.length > 0 ? opened : checkingPlacements(opened, await readPlacements(admin))
  cleanUp(async () => {
    await db.close()
    await admin.end()
    await dropOnServers(serverUrl, nodes, name)
    expect([...takePlans().ofCitus, ...takeRefused()]).toEqual([])
  })
  return { db, url, admin }
}

/**
 * The connection of `admin`, or on Citus one to the tenant's node, which finds the tables of tenants as the service does: in
 * the tenant's shard. It ends with the test.
 */
export function adminOf(
  { admin, db, url }: Pick<TestDatabase, 'admin' | 'db' | 'url'>,
  businessId: string,
): Promise<pg.Client> {
  return db instanceof DistributedDatabase ? connectForTenant(url, businessId) : Promise.resolve(admin)
}

export async function connectForTenant(url: string, businessId: string): Promise<pg.Client> {
  if (inject('citusNodes').length === 0) return connectForTest(url)
  const placement = await onServer(url, async (coordinator) => {
    const { rows } = await coordinator.query<Placement>(placementOf(businessId))
    return rows[0]
  })
  if (placement === undefined) throw new Error('no node has the tenant')
  const { schema, references } = shardOf(placement.shard, await newestMigration())
  const client = await connectForTest(urlOnHost(url, placement.host, placement.port))
  await client.query(`set search_path to ${schema}, ${references}, public`)
  return client
}

async function connectForTest(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

export function createEmptyDatabase({ isPlain = false }: TestDatabaseOptions = {}): Promise<string> {
  return createDatabase('empty', isPlain ? [] : inject('citusNodes'))
}

/**
 * Returns the URL of a migrated database without a business, dropped like that of `createTestDatabase`. A service starts
 * on it faster than on an empty one.
 */
export function createMigratedDatabase(): Promise<string> {
  return createDatabase('migrated', inject('citusNodes'), inject('templateDatabase'))
}

async function createDatabase(
  prefix: string,
  nodes: readonly CitusNode[],
  template?: string,
): Promise<string> {
  const serverUrl = inject('postgresUrl')
  const name = newId(prefix)
  await createOnServers(serverUrl, nodes, name, template)
  cleanUp(() => dropOnServers(serverUrl, nodes, name))
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

export interface TestBusiness {
  readonly businessId: string
  readonly caller: Caller
}

/** @param options `timeZone`: Stores the business, too, for statements that read its zone. */
export async function createTestBusiness(
  test: TestDatabase,
  options: { offsetMs?: number; timeZone?: string } = {},
): Promise<TestBusiness> {
  const businessId = newId('biz')
  if (options.timeZone !== undefined) {
    await test.admin.query(
      `insert into businesses (business_id, code, environment, number, name, time_zone, currency, webhook_secret, created_at)
       values ($1, $1, 'test', $2, 'Shop', $3, 'HKD', '', now())`,
      [businessId, randomInt(MAX_NUMBER), options.timeZone],
    )
  }
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

export function counting(tx: Tx): Tx & { readonly statements: string[] } {
  const statements: string[] = []
  const note = (text: string): void => void statements.push(text.trim().split(/\s+/).slice(0, 3).join(' '))
  return {
    businessId: tx.businessId,
    now: tx.now,
    clockOffsetMs: tx.clockOffsetMs,
    statements,
    query: (statement) => {
      note(statement.text)
      return tx.query(statement)
    },
    execute: (statement) => {
      note(statement.text)
      return tx.execute(statement)
    },
    defer: (sent) => tx.defer(sent),
  }
}

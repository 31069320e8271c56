import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '#platform/embedded-postgres/embedded-postgres'
import { migrate } from '#platform/postgres/migrations/migrate'
import { readMigrationFiles } from '#platform/postgres/migrations/migration-files'

const NOT_FILLED = ['schema_migrations', 'ran_migrations', 'migration_gate', 'recoveries', 'processes']

/** The schema, as sorted lines of columns, constraints, indexes and policies. */
const SCHEMA = `
  select 'column ' || table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' ' || coalesce(column_default, '') as line
    from information_schema.columns where table_schema = 'public'
  union all select 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
    from pg_constraint where connamespace = 'public'::regnamespace
  union all select 'index ' || indexdef from pg_indexes where schemaname = 'public'
  union all select 'policy ' || tablename || ' ' || policyname || ' ' || coalesce(qual, '') from pg_policies
  order by 1`

const COLUMNS = `
  select c.relname as table, a.attname as column, format_type(a.atttypid, a.atttypmod) as type,
         coalesce((select string_agg(pg_get_constraintdef(k.oid), ' ') from pg_constraint k
                    where k.conrelid = c.oid and k.contype = 'c' and a.attnum = any(k.conkey)), '') as checks
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
   where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not (c.relname = any($1))
     and a.attnotnull and not a.atthasdef and a.attidentity = '' and a.attgenerated = ''
   order by 1, a.attnum`

/**
 * Brings a database of every older migration, with rows in its tables, to the newest one: each must end with the schema of a new
 * database, and lose no row.
 */
export async function migrateOlderDatabases(log: (message: string) => void): Promise<string[]> {
  const root = await mkdtemp(join(tmpdir(), 'quittance-older-'))
  const postgres = await startEmbeddedPostgres({ dataDir: root, log: () => {} })
  const findings: string[] = []
  try {
    const server = new pg.Client({ connectionString: postgres.url })
    await server.connect()
    const database = async (name: string, template = 'template1') => {
      await server.query(`create database ${name} template ${template}`)
      return Object.assign(new URL(postgres.url), { pathname: `/${name}` }).href
    }
    const fresh = await database('fresh')
    await migrate(fresh)
    const expected = await schemaOf(fresh)
    const growing = await database('growing')
    const files = await readMigrationFiles()
    let filled = 0
    for (const [index, { name }] of files.entries()) {
      await migrate(growing, { upTo: 1 })
      filled = Math.max(filled, await fill(growing))
      if (index === files.length - 1) break
      const older = await database(`older_${index}`, 'growing')
      findings.push(...(await upgraded(older, expected)).map((finding) => `from ${name}: ${finding}`))
      await server.query(`drop database older_${index}`)
    }
    log(`${files.length - 1} older databases were migrated, the newest with rows in ${filled} tables`)
    await server.end()
  } finally {
    await postgres.stop()
    await rm(root, { recursive: true })
  }
  return findings
}

async function upgraded(url: string, expected: readonly string[]): Promise<string[]> {
  const before = await withClient(url, countRows)
  const failed = await migrate(url).then(
    () => undefined,
    (error: unknown) => String(error),
  )
  if (failed !== undefined) return [failed]
  const after = await withClient(url, countRows)
  const schema = await schemaOf(url)
  const missing = expected.filter((line) => !schema.includes(line)).map((line) => `lacks ${line}`)
  const further = schema.filter((line) => !expected.includes(line)).map((line) => `has ${line}`)
  const lost = [...before].flatMap(([table, rows]) => {
    const left = after.get(table)
    return left !== undefined && left < rows ? [`${table} had ${rows} rows and has ${left}`] : []
  })
  return [...missing, ...further, ...lost]
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function schemaOf(url: string): Promise<string[]> {
  return withClient(url, async (client) =>
    (await client.query<{ line: string }>(SCHEMA)).rows.map(({ line }) => line),
  )
}

async function countRows(client: pg.Client): Promise<Map<string, number>> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  )
  const counts = new Map<string, number>()
  for (const { name } of tables) {
    const { rows } = await client.query<{ count: string }>(`select count(*)::text as count from ${name}`)
    counts.set(name, Number(rows[0]?.count))
  }
  return counts
}

/** Fills every empty table that takes a row. All ids are `x`, so rows refer to each other. */
async function fill(url: string): Promise<number> {
  return withClient(url, async (client) => {
    const { rows: columns } = await client.query<{
      table: string
      column: string
      type: string
      checks: string
    }>(COLUMNS, [NOT_FILLED])
    const tables = Map.groupBy(columns, ({ table }) => table)
    for (let progress = true; progress;) {
      progress = false
      for (const [table, required] of tables) {
        const { rowCount } = await client.query(`select from ${table} limit 1`)
        if (rowCount !== 0) continue
        const names = required.map(({ column }) => column).join(', ')
        const values = required.map(valueOf).join(', ')
        const inserted = await client
          .query(`insert into ${table} (${names}) values (${values})`)
          .catch(() => undefined)
        progress ||= inserted !== undefined
      }
    }
    const counts = await countRows(client)
    return [...counts].filter(([table, rows]) => rows > 0 && !NOT_FILLED.includes(table)).length
  })
}

function valueOf({ column, type, checks }: { column: string; type: string; checks: string }): string {
  const listed = new RegExp(`\\(${column} = ANY \\(ARRAY\\['([^']*)'`).exec(checks)?.[1]
  if (listed !== undefined) return `'${listed}'`
  if (type.startsWith('timestamp')) return 'now()'
  if (type === 'date') return 'current_date'
  if (type === 'boolean') return 'false'
  if (type === 'bytea') return `'\\x00'`
  if (type.startsWith('json')) return `'{}'`
  if (/int|numeric/.test(type)) return '1'
  return type.endsWith('[]') ? `'{}'` : column === 'currency' ? `'HKD'` : `'x'`
}

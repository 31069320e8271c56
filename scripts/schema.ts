/** Writes docs/schema from a migrated database. With --check, it only compares the committed pages. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '#platform/embedded-postgres/embedded-postgres'
import { migrate } from '#platform/postgres/migrations/migrate'
import { readMigrationFiles } from '#platform/postgres/migrations/migration-files'
import { TABLES } from '../src/table-owners.ts'
import { readSchema, type Table } from './schema/read-schema.ts'
import { commentProblems, ownerProblems, renderSchema } from './schema/render-schema.ts'

const FOLDER = 'docs/schema'

const tables = await readMigratedSchema()
const problems = [...ownerProblems(tables, TABLES), ...commentProblems(tables)]
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)
const pages = renderSchema(tables, TABLES)

if (process.argv.includes('--check')) {
  const committed = new Map(
    readdirSync(FOLDER).map((file) => [file, readFileSync(join(FOLDER, file), 'utf8')]),
  )
  const stale = [...new Set([...pages.keys(), ...committed.keys()])].filter(
    (file) => pages.get(file) !== committed.get(file),
  )
  for (const file of stale)
    console.error(`${FOLDER}/${file} does not match the database; update it with: npm run schema`)
  process.exitCode = stale.length === 0 ? 0 : 1
} else {
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER)
  for (const [file, text] of pages) writeFileSync(join(FOLDER, file), text)
}

async function readMigratedSchema(): Promise<Table[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'quittance-schema-'))
  const settings = { fsync: 'off', full_page_writes: 'off' }
  const server = await startEmbeddedPostgres({ dataDir, settings, log: () => {} })
  try {
    await migrate(server.url)
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    const texts = (await readMigrationFiles()).map(({ text }) => text)
    const read = await readSchema(client, texts)
    await client.end()
    return read
  } finally {
    await server.stop()
    rmSync(dataDir, { recursive: true })
  }
}

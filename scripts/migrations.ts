/**
 * Checks that no landed migration was changed or removed, and that a new one that would break the version before says so.
 * `--freeze` adds the hashes of new migrations to migrations/SHA256SUMS.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  HASHES_FILE,
  MIGRATIONS_DIRECTORY,
  readHashes,
  readMigrationFiles,
} from '../src/platform/postgres/migrations/migration-files.ts'
import { checkMigrations } from './migrations/check-migrations.ts'

const { values } = parseArgs({ options: { freeze: { type: 'boolean', default: false } } })
const files = await readMigrationFiles()
const hashes = await readHashes()
const problems = await checkMigrations(files, hashes, { acceptsNew: values.freeze })
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)
if (values.freeze) {
  const lines = files.map(({ name, sha256 }) => `${sha256}  ${name}.sql\n`)
  writeFileSync(join(MIGRATIONS_DIRECTORY, HASHES_FILE), lines.join(''))
  console.log(`Froze ${files.length - hashes.size} new migrations.`)
}

/**
 * Checks that no landed migration was changed or removed, that a new one that would break the version before says so, and that a
 * distributed database can run each.
 */
import { join } from 'node:path'
import {
  MIGRATIONS_DIRECTORY,
  readMigrationFiles,
} from '../src/platform/postgres/migrations/migration-files.ts'
import { checkCitusRefusals } from './migrations/citus-refusals.ts'
import { checkContractions } from './migrations/check-contractions.ts'
import { checkFrozenHistory } from './migrations/frozen-history.ts'

const { problems, notCompared } = checkFrozenHistory(join(MIGRATIONS_DIRECTORY, '..'))
if (notCompared !== null) console.log(notCompared)
const files = await readMigrationFiles()
const all = [...problems, ...(await checkContractions(files)), ...(await checkCitusRefusals(files))]
for (const problem of all) console.error(problem)
if (all.length > 0) process.exit(1)

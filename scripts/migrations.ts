/** Checks that no landed migration was changed or removed, and that a new one that would break the version before says so. */
import { join } from 'node:path'
import {
  MIGRATIONS_DIRECTORY,
  readMigrationFiles,
} from '../src/platform/postgres/migrations/migration-files.ts'
import { checkContractions } from './migrations/check-contractions.ts'
import { checkFrozenHistory } from './migrations/frozen-history.ts'

const { problems, notCompared } = checkFrozenHistory(join(MIGRATIONS_DIRECTORY, '..'))
if (notCompared !== null) console.log(notCompared)
const all = [...problems, ...(await checkContractions(await readMigrationFiles()))]
for (const problem of all) console.error(problem)
if (all.length > 0) process.exit(1)

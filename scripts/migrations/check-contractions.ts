import type { MigrationFile } from '../../src/platform/postgres/migrations/migration-files.ts'
import { contractionsOf, emptySchema } from './contractions.ts'

/** Sentences about migrations, in order, that break the version before without saying so. */
export async function checkContractions(files: readonly MigrationFile[]): Promise<string[]> {
  const problems: string[] = []
  const schema = emptySchema()
  for (const file of files) {
    problems.push(...problemsOf(file, await contractionsOf(file.text, schema)))
  }
  return problems
}

function problemsOf({ name, needs }: MigrationFile, contractions: readonly string[]): string[] {
  if (contractions.length > 0 && needs === null) {
    return [
      `migrations/${name}.sql ${contractions.join(', ')}: the version before would fail beside it. Expand only, or state "-- Needs programs from NNNN".`,
    ]
  }
  if (needs !== null && needs >= name.slice(0, 4)) {
    return [
      `migrations/${name}.sql needs programs from ${needs}, which no version before it is: name an earlier migration, whose version no longer uses what goes.`,
    ]
  }
  return []
}

import type { MigrationFile } from '../../src/platform/postgres/migrations/migration-files.ts'
import { contractionsOf, emptySchema } from './contractions.ts'

/** Migrations up to this one ran before old and new processes were to run beside each other. */
const LAST_BEFORE_THE_RULE = '0053'

/** Sentences about what is wrong with the migrations, which are in order; none when all is well. */
export async function checkMigrations(
  files: readonly MigrationFile[],
  hashes: ReadonlyMap<string, string>,
  { acceptsNew }: { readonly acceptsNew: boolean },
): Promise<string[]> {
  const problems: string[] = []
  const byName = new Map(files.map((file) => [file.name, file]))
  for (const [name, sha256] of hashes) {
    const file = byName.get(name)
    if (file === undefined) {
      problems.push(
        `migrations/${name}.sql has landed and is missing: restore it, because databases have run it.`,
      )
    } else if (file.sha256 !== sha256) {
      problems.push(
        `migrations/${name}.sql has landed and was changed: restore it, and write a new migration instead.`,
      )
    }
  }
  const schema = emptySchema()
  for (const file of files) {
    if (!hashes.has(file.name) && !acceptsNew) {
      problems.push(
        `migrations/${file.name}.sql is not frozen: run "npm run freeze:migrations" and commit SHA256SUMS.`,
      )
    }
    const contractions = await contractionsOf(file.text, schema)
    if (file.name.slice(0, 4) > LAST_BEFORE_THE_RULE) problems.push(...problemsOf(file, contractions))
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

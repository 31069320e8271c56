import { newestOf, numberOf, type MigrationFile } from './migration-files.ts'

export interface RanMigration {
  readonly name: string
  readonly sha256: string | null
  readonly needs: string | null
}

type Known = Pick<MigrationFile, 'name' | 'sha256'>

/**
 * Returns as a sentence why this program may not run on the database; undefined if it may. A newer database is fine as long as
 * none of its further migrations needs a newer program (docs/decisions/0067-expand-then-contract).
 */
export function whyUnfit(ran: readonly RanMigration[], files: readonly Known[]): string | undefined {
  const draft = whyOtherDraft(ran[0], files[0])
  if (draft !== undefined) return draft
  const known = new Map(files.map((file) => [file.name, file]))
  const changed = ran.find(
    ({ name, sha256 }) => sha256 !== null && (known.get(name)?.sha256 ?? sha256) !== sha256,
  )
  if (changed !== undefined) {
    return `The database ran another text of the migration ${changed.name} than migrations/${changed.name}.sql has: start the version of Quittance that the database belongs to.`
  }
  const newest = newestOf(files)
  const further = ran.filter(({ name }) => !known.has(name))
  const foreign = further.filter(({ name, sha256 }) => numberOf(name) <= newest || sha256 === null)
  if (foreign.length > 0) {
    return `The database was migrated by another version of Quittance (${namesOf(foreign)}): start that one, or a newer one.`
  }
  const contracted = further.filter(({ needs }) => needs !== null && needs > newest)
  if (contracted.length > 0) return whyContracted(contracted, newest)
  const missing = files.filter(({ name }) => !ran.some((one) => one.name === name))
  if (further.length > 0 && missing.length > 0) {
    return `The database was migrated by another version of Quittance (${namesOf(further)}), which lacks ${namesOf(missing)}: start that one, or a newer one.`
  }
  return undefined
}

function whyOtherDraft(ran: RanMigration | undefined, first: Known | undefined): string | undefined {
  if (ran === undefined || first === undefined) return undefined
  if (ran.name === first.name && (ran.sha256 ?? first.sha256) === first.sha256) return undefined
  return `The database belongs to another draft of Quittance, whose tables this version does not migrate: use a new, empty database or DATA_DIR, or start the version that this database belongs to.`
}

export function whyContracted(contracted: readonly RanMigration[], newest: string): string {
  return `This version of Quittance knows migrations up to ${newest}, and the database has run ${namesOf(contracted)}, which needs programs from ${contracted.at(-1)?.needs ?? ''}: start a newer version.`
}

function namesOf(migrations: readonly { readonly name: string }[]): string {
  return migrations.map(({ name }) => name).join(', ')
}

import { readdirSync, readFileSync } from 'node:fs'
import { MIGRATIONS_DIRECTORY } from '#platform/postgres/migrations/migration-files'

export const { version: VERSION } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { version: string }

/** Names the newest migration too, which distinguishes commits of one version. */
export function versionWithMigration(): string {
  const migrations = readdirSync(MIGRATIONS_DIRECTORY).filter((file) => file.endsWith('.sql'))
  return `${VERSION}, migration ${migrations.toSorted().at(-1)?.slice(0, -'.sql'.length)}`
}

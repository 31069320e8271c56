import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const MIGRATIONS_DIRECTORY = fileURLToPath(new URL('../../../../migrations', import.meta.url))

/**
 * - `sha256`: The hash of the text. If the text states `-- Stands for HASH`, the hash of the text that landed first.
 * - `needs`: The number of the newest migration that a program must know to run on the database from here on, as
 *   `-- Needs programs from 0070` states; null for a migration that older programs do not notice.
 */
export interface MigrationFile {
  readonly name: string
  readonly text: string
  readonly sha256: string
  readonly needs: string | null
}

const NEEDS = /^-- Needs programs from (\d{4})\b/m
/** Another text may replace a text that landed, if it has the same result on an older database (docs/operating/upgrading.md, "Migrations are frozen"). */
const STANDS_FOR = /^-- Stands for ([0-9a-f]{64})\b/m

export function textStoodForBy(text: string): string | undefined {
  return STANDS_FOR.exec(text)?.[1]
}

export async function readMigrationFiles(directory = MIGRATIONS_DIRECTORY): Promise<MigrationFile[]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql')).toSorted()
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(directory, file), 'utf8')
      return {
        name: file.slice(0, -'.sql'.length),
        text,
        sha256: textStoodForBy(text) ?? createHash('sha256').update(text).digest('hex'),
        needs: NEEDS.exec(text)?.[1] ?? null,
      }
    }),
  )
}

export async function newestMigration(): Promise<string> {
  return newestOf(await readMigrationFiles())
}

export function newestOf(files: readonly { readonly name: string }[]): string {
  return numberOf(
    files
      .map(({ name }) => name)
      .toSorted()
      .at(-1) ?? '0000',
  )
}

export function numberOf(name: string): string {
  return name.slice(0, 4)
}

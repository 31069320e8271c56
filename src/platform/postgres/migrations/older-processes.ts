import type pg from 'pg'
import type { MigrationFile } from './migration-files.ts'
import { UnfitDatabase } from './unfit-database.ts'

/** Three beats of a process. One that was killed counts until then (docs/operating/upgrading.md). */
export const GONE_AFTER_SECONDS = 30

export async function versionsAtWork(gate: pg.Client): Promise<string[]> {
  const { rows } = await gate.query<{ version: string }>(
    `select distinct newest_migration as version from processes where seen_at > now() - $1 * interval '1 second'`,
    [GONE_AFTER_SECONDS],
  )
  return rows.map(({ version }) => version)
}

export async function refuseWhileOlderRun(
  gate: pg.Client,
  pending: readonly Pick<MigrationFile, 'name' | 'needs'>[],
): Promise<void> {
  const contracting = pending.filter(({ needs }) => needs !== null)
  const needs = contracting
    .map((migration) => migration.needs ?? '')
    .toSorted()
    .at(-1)
  if (needs === undefined) return
  const { rows: tables } = await gate.query(`select from pg_class where oid = to_regclass('processes')`)
  if (tables.length === 0) return
  const { rows } = await gate.query<{ newest_migration: string }>(
    `select newest_migration from processes
      where newest_migration < $1 and seen_at > now() - $2 * interval '1 second' order by 1`,
    [needs, GONE_AFTER_SECONDS],
  )
  if (rows.length === 0) return
  const versions = [...new Set(rows.map((row) => row.newest_migration))].join(', ')
  throw new UnfitDatabase(
    `The migration ${contracting.map(({ name }) => name).join(', ')} needs programs from ${needs}, and ${rows.length} processes of older versions (migrations up to ${versions}) ran on the database within the last ${GONE_AFTER_SECONDS} seconds: stop them first.`,
  )
}

import type pg from 'pg'
import { lockingAtBegin } from './lock-tables.ts'
import type { MigrationFile } from './migration-files.ts'

/**
 * What a deployment does beside running migrations.
 * - `check`: Before anything is written. Throws `UnfitDatabase`.
 * - `run`: Calls `run` with `client`, or with a client that wraps it.
 * - `complete`: Called after the newest migration, while other processes wait.
 * - `finish`: Called when others no longer wait.
 */
export interface Deployment {
  check(): Promise<void>
  run<T>(
    client: pg.Client,
    pending: readonly MigrationFile[],
    run: (client: pg.Client) => Promise<T>,
  ): Promise<T>
  complete(client: pg.Client): Promise<void>
  finish(newest: string, hasRun: boolean): Promise<void>
}

export const ONE_POSTGRES: Deployment = {
  check: async () => {},
  run: (client, pending, run) => run(lockingAtBegin(client, pending)),
  complete: async () => {},
  finish: async () => {},
}

import sql from 'sql-template-tag'
import { toRfc3339 } from '#kernel/clock'
import { newId } from '#kernel/ids'
import type { Log } from '#platform/observability/log'
import type { Database } from '#platform/postgres/database'
import { type RanMigration, whyContracted } from '#platform/postgres/migrations/compatibility'
import { newestMigration as newestKnownMigration } from '#platform/postgres/migrations/migration-files'
import type { Recoveries } from './recoveries.ts'

export const BEAT_MS = 10_000
export const FORGOTTEN_AFTER_HOURS = 24

export interface ProcessRegistryOptions {
  readonly db: Pick<Database, 'shared'>
  readonly recoveries: Recoveries
  readonly log: Log
  readonly onContracted: (reason: string) => void
  readonly beatMs?: number
  readonly newestMigration?: string
}

export class ProcessRegistry {
  readonly #options: ProcessRegistryOptions
  readonly #id = newId('prc')
  #newest = ''
  #timer: NodeJS.Timeout | undefined
  #beating: Promise<void> = Promise.resolve()

  constructor(options: ProcessRegistryOptions) {
    this.#options = options
  }

  async start(): Promise<void> {
    const { newestMigration, beatMs = BEAT_MS, log } = this.#options
    this.#newest = newestMigration ?? (await newestKnownMigration())
    await this.#beat()
    this.#timer = setInterval(() => {
      this.#beating = this.#beat().catch((error: unknown) =>
        log.warn({ err: error }, 'cannot tell that this process is at work'),
      )
    }, beatMs)
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#beating
    const { db } = this.#options
    await db.shared.query(sql`delete from processes where id = ${this.#id}`).catch(() => {})
  }

  async #beat(): Promise<void> {
    const { db, recoveries, log } = this.#options
    const period = await recoveries.refresh()
    if (period !== undefined) {
      log.warn(
        { since: toRfc3339(period.since), recovered_at: toRfc3339(period.recoveredAt) },
        'the database came back from a backup or a replica: payments are inquired before they are made again; see docs/operating/backup.md',
      )
    }
    await db.shared.query(sql`
      insert into processes (id, newest_migration, started_at, seen_at)
      values (${this.#id}, ${this.#newest}, clock_timestamp(), clock_timestamp())
      on conflict (id) do update set seen_at = excluded.seen_at`)
    await db.shared.query(sql`
      delete from processes where seen_at < now() - ${FORGOTTEN_AFTER_HOURS} * interval '1 hour'
        and seen_at < (select max(seen_at) from processes)`)
    await this.#noticeContraction()
  }

  async #noticeContraction(): Promise<void> {
    const contracted = await this.#options.db.shared.query<RanMigration>(sql`
      select name, sha256, needs from ran_migrations where needs > ${this.#newest} order by name`)
    if (contracted.length === 0) return
    clearInterval(this.#timer)
    this.#options.onContracted(whyContracted(contracted, this.#newest))
  }
}

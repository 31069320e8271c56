import sql, { type Sql } from 'sql-template-tag'
import type { Instant } from '#kernel/clock'
import type { Database } from '#platform/postgres/database'
import { codeOf } from '#platform/thrown'

/**
 * A period that the database lost. It came back from a backup that ends at `since`, so bookings at acquirers from
 * then until `recoveredAt` may be unknown here.
 */
export interface LostPeriod {
  readonly since: Instant
  readonly recoveredAt: Instant
}

interface Identity {
  readonly system_identifier: string
  readonly timeline: number
}

const REMEMBERED_DAYS = 400

const UNKNOWN: Identity = { system_identifier: '', timeline: 0 }
const HIDDEN = new Set(['42501', '42883', '0A000'])

export class Recoveries {
  readonly #db: Pick<Database, 'shared'>
  #periods: readonly LostPeriod[] = []

  constructor(db: Pick<Database, 'shared'>) {
    this.#db = db
  }

  periods(): readonly LostPeriod[] {
    return this.#periods
  }

  async refresh(): Promise<LostPeriod | undefined> {
    const noticed = await this.#notice()
    this.#periods = await this.#db.shared.query<LostPeriod>(sql`
      select since, recovered_at as "recoveredAt" from recoveries
       where since is not null and recovered_at > now() - ${REMEMBERED_DAYS} * interval '1 day' order by since`)
    return noticed
  }

  async isRecorded(since: Instant): Promise<boolean> {
    const id = operatorId(since, await this.#identity())
    const rows = await this.#db.shared.query(sql`select id from recoveries where id = ${id}`)
    return rows.length > 0
  }

  async record(since: Instant): Promise<void> {
    const identity = await this.#identity()
    const id = operatorId(since, identity)
    await this.#db.shared.query(insertion(id, identity, sql`${since.toString()}::timestamptz`))
    await this.refresh()
  }

  async #notice(): Promise<LostPeriod | undefined> {
    const identity = await this.#identity()
    if (identity.timeline === UNKNOWN.timeline) return undefined
    const [last] = await this.#db.shared.query<Identity>(sql`
      select system_identifier, timeline from recoveries order by recovered_at desc, id desc limit 1`)
    if (last?.system_identifier === identity.system_identifier && last.timeline === identity.timeline) {
      return undefined
    }
    const id = `${identity.system_identifier}.${identity.timeline}`
    const since = last === undefined ? sql`null` : sql`coalesce((select max(seen_at) from processes), now())`
    const [recorded] = await this.#db.shared.query<{ since: Instant | null; recoveredAt: Instant }>(
      insertion(id, identity, since),
    )
    return recorded?.since == null ? undefined : { since: recorded.since, recoveredAt: recorded.recoveredAt }
  }

  async #identity(): Promise<Identity> {
    const [identity] = await this.#db.shared
      .query<Identity>(sql`
      select system_identifier::text as system_identifier,
             ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer as timeline
        from pg_control_system()`)
      .catch(unlessHidden)
    return identity ?? UNKNOWN
  }
}

function operatorId(since: Instant, { system_identifier, timeline }: Identity): string {
  return `operator.${since.toString()}.${system_identifier}.${timeline}`
}

function unlessHidden(error: unknown): Identity[] {
  if (HIDDEN.has(codeOf(error) ?? '')) return []
  throw error
}

function insertion(id: string, { system_identifier, timeline }: Identity, since: Sql): Sql {
  return sql`
    insert into recoveries (id, system_identifier, timeline, since, recovered_at)
    values (${id}, ${system_identifier}, ${timeline}, ${since}, clock_timestamp())
    on conflict (id) do nothing
    returning since, recovered_at as "recoveredAt"`
}

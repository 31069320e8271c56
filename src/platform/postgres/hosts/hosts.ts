import sql from 'sql-template-tag'
import { isUnreachable } from '#platform/postgres/database-errors'
import { type Host, readHostList } from '#platform/postgres/hosts/host-list'
import { OpenClients } from '#platform/postgres/hosts/open-clients'
import { type Sentinel, watchHost } from '#platform/postgres/hosts/sentinel'
import { type Hosts, singleHost } from '#platform/postgres/plain/host'
import { CONNECT_TIMEOUT_MS } from '#platform/postgres/session'

interface Member extends Host {
  timeline: number | undefined
  reason: string
}

interface HostStatus {
  readonly is_replica: boolean
  readonly is_read_only: boolean
  readonly wal_file: string | null
}

/** The name of a WAL file begins with its timeline in hexadecimal. */
const TIMELINE_DIGITS = 8
/** The time of reference/operations#starting. */
export const START_TIMEOUT_MS = 20_000

class NoWritableHost extends Error {
  readonly code = '57P03'

  constructor(members: readonly Member[]) {
    const states = members.map(({ name, reason }) => `${name} ${reason}`)
    super(`no host of DATABASE_URL takes writes: ${states.join(', ')}`)
  }
}

export type OnNewPrimary = (host: string) => void

export function openHosts(url: string, onNewPrimary: OnNewPrimary = () => {}): Hosts {
  const { hosts } = readHostList(url, 'DATABASE_URL')
  return hosts.length > 1 ? new WatchedHosts(hosts, onNewPrimary) : singleHost(url)
}

export async function writableUrl(url: string): Promise<string> {
  const { hosts } = readHostList(url, 'DATABASE_URL')
  if (hosts.length <= 1) return url
  const watched = new WatchedHosts(hosts, () => {})
  try {
    await watched.ready(START_TIMEOUT_MS)
    return watched.currentUrl
  } finally {
    await watched.close()
  }
}

/**
 * Watches every host and takes the writable one with the highest timeline. A primary that was replaced while it was cut
 * off still says that it takes writes; its timeline is lower than that of its successor.
 */
class WatchedHosts implements Hosts {
  readonly Client: Hosts['Client']
  readonly #onNewPrimary: OnNewPrimary
  readonly #members: readonly Member[]
  readonly #sentinels: readonly Sentinel[]
  readonly #clients = new OpenClients<Member>()
  readonly #waiting = new Set<() => void>()
  #current: Member | undefined
  #newestTimeline = 0

  constructor(hosts: readonly Host[], onNewPrimary: OnNewPrimary) {
    this.#onNewPrimary = onNewPrimary
    this.#members = hosts.map((host) => ({ ...host, timeline: undefined, reason: 'has not answered yet' }))
    this.#sentinels = this.#members.map((member) => this.#watch(member))
    this.Client = this.#clients.connectingTo(() => this.#current ?? this.#first)
  }

  get currentUrl(): string {
    return (this.#current ?? this.#first).url
  }

  async ready(timeoutMs: number = CONNECT_TIMEOUT_MS): Promise<void> {
    if (this.#isReady) return
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const timer = setTimeout(() => reject(new NoWritableHost(this.#members)), timeoutMs)
    this.#waiting.add(resolve)
    try {
      await promise
    } finally {
      clearTimeout(timer)
      this.#waiting.delete(resolve)
    }
  }

  retriesAfter(error: unknown): boolean {
    if (!isUnreachable(error)) return false
    for (const sentinel of this.#sentinels) sentinel.ask()
    return true
  }

  async close(): Promise<void> {
    await Promise.all(this.#sentinels.map((sentinel) => sentinel.stop()))
  }

  get #first(): Member {
    const [first] = this.#members
    if (first === undefined) throw new Error('a list of hosts is not empty')
    return first
  }

  get #isReady(): boolean {
    return this.#current?.timeline !== undefined
  }

  #watch(member: Member): Sentinel {
    return watchHost<HostStatus>({
      url: member.url,
      statement: sql`
        select pg_is_in_recovery() as is_replica, current_setting('transaction_read_only') = 'on' as is_read_only,
               case when not pg_is_in_recovery() then pg_walfile_name(pg_current_wal_lsn()) end as wal_file`,
      onRow: ({ is_replica, is_read_only, wal_file }) => {
        const isWritable = !is_replica && !is_read_only && wal_file !== null
        member.timeline = isWritable ? Number.parseInt(wal_file.slice(0, TIMELINE_DIGITS), 16) : undefined
        member.reason = is_replica ? 'is a replica' : 'is read-only'
        this.#choose()
      },
      onDown: (reason) => {
        member.timeline = undefined
        member.reason = `does not answer (${reason})`
        this.#choose()
      },
    })
  }

  /** Keeps a host that fell silent until another one takes writes, because the silent host may only be slow. */
  #choose(): void {
    const best = this.#newest()
    if (best !== undefined && best !== this.#current) {
      if (this.#current !== undefined) this.#onNewPrimary(best.name)
      this.#current = best
      this.#clients.cut((member) => member !== best, `${best.name} has become the primary`)
    }
    if (this.#isReady) for (const resolve of this.#waiting) resolve()
  }

  #newest(): Member | undefined {
    let best: Member | undefined
    for (const member of this.#members) {
      const { timeline = -1 } = member
      if (timeline < this.#newestTimeline) {
        if (timeline >= 0) member.reason = 'was replaced by another primary'
        continue
      }
      if (timeline > this.#newestTimeline || best === undefined || member === this.#current) best = member
      this.#newestTimeline = timeline
    }
    return best
  }
}

import type pg from 'pg'
import sql, { type Sql } from 'sql-template-tag'
import { OperatorError } from '#kernel/operator-error'

const unreplicated = new WeakSet<pg.ClientBase>()
const REPLICA_WAIT = 'SyncRepWaitForLSN'

/**
 * When somebody cancels a commit that waits for its synchronous replica, PostgreSQL reports success with a warning. The commit
 * is then on one machine only, and is lost with it. The message may be in any language, but the function's name is always the
 * same.
 */
export function watchReplication(client: pg.ClientBase): void {
  client.on('notice', ({ routine }) => {
    if (routine === REPLICA_WAIT) unreplicated.add(client)
  })
}

export function isUnreplicated(client: pg.ClientBase): boolean {
  return unreplicated.has(client)
}

export class UnreplicatedCommit extends Error {
  readonly code = '08007'

  constructor() {
    super('the commit was made without its synchronous replica, because its wait was canceled')
  }
}

export class LossyDatabase extends OperatorError {}

interface Settings {
  readonly fsync: string
  readonly full_page_writes: string
  readonly synchronous_commit: string
  readonly synchronous_standby_names: string
}

interface DurabilityOptions {
  readonly hasSeveralHosts: boolean
  readonly isLossAllowed: boolean
  readonly warn: (message: string) => void
}

export async function requireDurability(
  db: { readonly query: <Row extends object>(statement: Sql) => Promise<Row[]> },
  { hasSeveralHosts, isLossAllowed, warn }: DurabilityOptions,
): Promise<void> {
  const [settings] = await db.query<Settings>(sql`
    select current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
           current_setting('synchronous_commit') as synchronous_commit,
           current_setting('synchronous_standby_names') as synchronous_standby_names`)
  if (settings === undefined) return
  const loss = lossOf(settings)
  if (loss !== undefined) {
    const message = `The database has ${loss}. A payment that was acknowledged could be lost`
    if (!isLossAllowed) {
      throw new LossyDatabase(`${message}: set it to on, or ALLOW_LOSSY_DATABASE=1 for a database of tests.`)
    }
    warn(`${message}.`)
  }
  if (hasSeveralHosts && !waitsForReplica(settings)) {
    warn(
      'DATABASE_URL names several hosts, and commits wait for no replica. A failover could lose payments that were acknowledged: set synchronous_standby_names, and synchronous_commit to on.',
    )
  }
}

function lossOf({ fsync, full_page_writes, synchronous_commit }: Settings): string | undefined {
  if (fsync === 'off') return 'fsync off'
  if (synchronous_commit === 'off') return 'synchronous_commit off'
  return full_page_writes === 'off' ? 'full_page_writes off' : undefined
}

function waitsForReplica({ synchronous_commit, synchronous_standby_names }: Settings): boolean {
  return synchronous_standby_names.trim() !== '' && !/^(?:off|local)$/.test(synchronous_commit)
}

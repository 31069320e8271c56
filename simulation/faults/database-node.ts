import { chown, mkdir, open, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { ownPostgres } from '#platform/embedded-postgres/binaries'
import { type Access, openCluster, urlOf } from '#platform/embedded-postgres/cluster'
import {
  clearRemains,
  type Cluster,
  endPostmaster,
  type Postmaster,
  postmasterArguments,
  spawnPostmaster,
  waitUntilReady,
} from '#platform/embedded-postgres/process'

const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  wal_level: 'replica',
  // A copy takes a second or two, and its replica needs the log since the start of the copy.
  wal_keep_size: '256MB',
  max_wal_size: '512MB',
  shared_buffers: '64MB',
  wal_init_zero: 'off',
  wal_receiver_timeout: '5s',
  wal_sender_timeout: '5s',
  wal_retrieve_retry_interval: '200ms',
  autovacuum_naptime: '20s',
  random_page_cost: '1.1',
  jit: 'off',
  timezone: 'UTC',
  lc_messages: 'C',
}
const POLL_MS = 20
/** PostgreSQL expects each of these directories, but a copy does not need their contents. */
const EMPTY_IN_A_COPY = new Set(['pg_wal', 'pg_replslot', 'pg_stat_tmp', 'pg_notify', 'pg_subtrans'])
const ABSENT_FROM_A_COPY = new Set(['postmaster.pid', 'postmaster.opts', 'standby.signal', 'backup_label'])

/** One PostgreSQL of a pair, with the programs that npm brings, which have no pg_basebackup. */
export class DatabaseNode {
  readonly dataDir: string
  readonly port: number
  #cluster: Cluster | undefined
  #access: Access | undefined
  #postmaster: Postmaster | undefined

  constructor(dataDir: string, port: number) {
    this.dataDir = dataDir
    this.port = port
  }

  get password(): string {
    if (this.#access === undefined) throw new Error('the node has no database yet')
    return this.#access.password
  }

  url(database?: string): string {
    return urlOf({ password: this.password, port: this.port }, database)
  }

  async startNew(): Promise<void> {
    await mkdir(this.dataDir, { recursive: true })
    await this.#open()
    await this.#launch({})
    await onNode(this.url('postgres'), (client) => client.query('create database quittance'))
  }

  /** Starts the server again after `kill`. */
  async restart(): Promise<void> {
    await clearRemains(this.#openCluster.directory)
    await this.#launch({})
  }

  /** Copies the primary while it runs, as pg_basebackup does, and follows it. */
  async startAsReplicaOf(primary: DatabaseNode): Promise<void> {
    await rm(this.dataDir, { recursive: true, force: true })
    await mkdir(join(this.dataDir, 'postgres'), { recursive: true })
    const { directory, account } = primary.#openCluster
    const target = join(this.dataDir, 'postgres')
    const label = await onNode(primary.url(), async (client) => {
      await client.query(`select pg_backup_start('copy', true)`)
      await copyTree(directory, target)
      const { rows } = await client.query<{ labelfile: string }>(
        'select labelfile from pg_backup_stop(false)',
      )
      return rows[0]?.labelfile ?? ''
    })
    for (const empty of [...EMPTY_IN_A_COPY, 'pg_wal/archive_status', 'pg_wal/summaries']) {
      await mkdir(join(target, empty), { recursive: true })
    }
    await writeFile(join(target, 'backup_label'), label)
    await writeFile(join(target, 'standby.signal'), '')
    await writeFile(join(this.dataDir, 'postgres.json'), JSON.stringify({ password: primary.password }))
    if (account !== undefined) await giveTree(target, account)
    await this.#open()
    const { password } = this
    await this.#launch({
      primary_conninfo: `host=127.0.0.1 port=${primary.port} user=quittance password=${password} application_name=node_${this.port}`,
    })
  }

  /** Resolves once the replica is connected and every commit waits for it. */
  async requireReplica(): Promise<void> {
    await onNode(this.url(), async (client) => {
      await client.query(`alter system set synchronous_standby_names = '*'`)
      await client.query('select pg_reload_conf()')
      for (;;) {
        const { rowCount } = await client.query(
          `select from pg_stat_replication where state = 'streaming' and sync_state = 'sync'`,
        )
        if (rowCount === 1) return
        await sleep(POLL_MS)
      }
    })
  }

  async promote(): Promise<void> {
    await onNode(this.url(), async (client) => {
      const { rows } = await client.query<{ promoted: boolean }>('select pg_promote(true, 30) as promoted')
      if (rows[0]?.promoted !== true) throw new Error('the replica was not promoted')
    })
  }

  /** Ends all its processes at once, as a power cut does. */
  async kill(): Promise<void> {
    for (const pid of await this.#processes()) signalIfAlive(pid, 'SIGKILL')
    await this.#postmaster?.exited
  }

  /** Hangs the machine: the kernel still accepts connections, and nothing responds. */
  async hang(): Promise<void> {
    for (const pid of await this.#processes()) signalIfAlive(pid, 'SIGSTOP')
  }

  async stop(): Promise<void> {
    if (this.#postmaster === undefined || this.#postmaster.hasExited()) return
    for (const pid of await this.#processes()) signalIfAlive(pid, 'SIGCONT')
    await endPostmaster(this.#postmaster)
  }

  get #openCluster(): Cluster {
    if (this.#cluster === undefined) throw new Error('the node has no database yet')
    return this.#cluster
  }

  async #open(): Promise<void> {
    const { cluster, access } = await openCluster(this.dataDir, ownPostgres(), () => {})
    this.#cluster = cluster
    this.#access = access
  }

  async #launch(settings: Readonly<Record<string, string>>): Promise<void> {
    const cluster = this.#openCluster
    const args = postmasterArguments(cluster, this.port, { ...SETTINGS, ...settings })
    const postmaster = await spawnPostmaster(cluster, args)
    this.#postmaster = postmaster
    const readiness = await waitUntilReady(this.url('postgres'), postmaster, () => {})
    if (readiness === 'ready') return
    await endPostmaster(postmaster)
    const log = await readFile(cluster.logFile, 'utf8').catch(() => '')
    throw new Error(`a node of the pair did not start (${readiness}): ${log.slice(-1500)}`)
  }

  async #processes(): Promise<number[]> {
    return this.#postmaster?.hasExited() === true ? [] : treeOf(this.#postmaster?.pid)
  }
}

export async function onNode<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

/** Returns a process and all that it has started, itself first, so that it starts no further one. */
export async function treeOf(root: number | undefined): Promise<number[]> {
  if (root === undefined) return []
  const children = new Map<number, number[]>()
  for (const name of await readdir('/proc').catch(() => [])) {
    const pid = Number(name)
    if (!(pid > 1)) continue
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    children.set(parent, [...(children.get(parent) ?? []), pid])
  }
  const tree = [root]
  for (const pid of tree) tree.push(...(children.get(pid) ?? []))
  return tree
}

export function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {}
}

/** Files may vanish and grow during the copy. The log since `pg_backup_start` has what the copy lacks. */
async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const entry of await readdir(from, { withFileTypes: true }).catch(() => [])) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (ABSENT_FROM_A_COPY.has(entry.name) || EMPTY_IN_A_COPY.has(entry.name)) continue
    if (entry.isDirectory()) await copyTree(source, target)
    else if (entry.isFile()) await copyFileIfThere(source, target)
    else if (entry.isSymbolicLink()) throw new Error(`${source} -> ${await readlink(source)} is not copied`)
  }
}

async function copyFileIfThere(source: string, target: string): Promise<void> {
  const file = await open(source, 'r').catch(() => undefined)
  if (file === undefined) return
  try {
    await writeFile(target, await file.readFile(), { mode: 0o600 })
  } finally {
    await file.close()
  }
}

async function giveTree(directory: string, { uid, gid }: { uid: number; gid: number }): Promise<void> {
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    await chown(join(entry.parentPath, entry.name), uid, gid)
  }
  await chown(directory, uid, gid)
}

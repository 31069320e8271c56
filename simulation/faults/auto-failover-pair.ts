import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chown, mkdir, mkdtemp, open, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { accountFor } from '#platform/embedded-postgres/binaries'
import { freePort } from '#platform/embedded-postgres/free-port'
import { onNode, signalIfAlive, treeOf } from './database-node.ts'
import type { DatabasePair } from './database-pair.ts'

/** Of the Debian packages postgresql-15 and pg-auto-failover-cli. */
const PROGRAMS = '/usr/lib/postgresql/15/bin'
/** As docs/operating/failover.md recommends. The defaults take 35 s and more. */
const MONITOR_SETTINGS: Readonly<Record<string, number>> = {
  health_check_period: 1_000,
  health_check_timeout: 2_000,
  health_check_max_retries: 1,
  health_check_retry_delay: 500,
  node_considered_unhealthy_timeout: 5_000,
  primary_demote_timeout: 3_000,
  startup_grace_period: 2_000,
}
const READY_MS = 120_000
const POLL_MS = 100
const COMMON = ['--pgctl', `${PROGRAMS}/pg_ctl`, '--hostname', '127.0.0.1', '--auth', 'trust', '--no-ssl']

interface Node {
  readonly name: string
  readonly dataDir: string
  readonly port: number
  process: ChildProcess | undefined
}

/** A pair that pg_auto_failover supervises: it decides when the replica is promoted. */
export async function startAutoFailoverPair(): Promise<DatabasePair> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'quittance-auto-failover-')))
  const account = await accountFor(root)
  const run = join(root, 'run')
  await mkdir(run, { mode: 0o700 })
  if (account !== undefined) for (const path of [root, run]) await chown(path, account.uid, account.gid)
  const env = {
    PATH: `${PROGRAMS}:/usr/bin:/bin`,
    HOME: root,
    LC_ALL: 'C.UTF-8',
    XDG_CONFIG_HOME: join(root, 'config'),
    XDG_DATA_HOME: join(root, 'data'),
    XDG_RUNTIME_DIR: run,
  }
  const nodeNamed = async (name: string): Promise<Node> => ({
    name,
    dataDir: join(root, name),
    port: await freePort(),
    process: undefined,
  })
  const start = async (node: Node, args: readonly string[]): Promise<void> => {
    const log = await open(join(root, `${node.name}.log`), 'a')
    const place = ['--pgdata', node.dataDir]
    node.process = spawn('pg_autoctl', [...args, ...place], {
      env,
      ...account,
      cwd: root,
      stdio: ['ignore', log.fd, log.fd],
    })
    await log.close()
  }
  const monitor = await nodeNamed('monitor')
  let primary = await nodeNamed('a')
  let replica = await nodeNamed('b')
  const stop = async (): Promise<void> => {
    for (const node of [replica, primary, monitor]) await killTree(node)
    await rm(root, { recursive: true, force: true })
  }
  const monitorUrl = `postgres://autoctl_node@127.0.0.1:${monitor.port}/pg_auto_failover`
  const untilPaired = (): Promise<void> =>
    until('the pair is not whole', () =>
      onNode(monitorUrl, async (client) => {
        const { rows } = await client.query<{ state: string }>(
          'select reportedstate::text as state from pgautofailover.node where reportedstate = goalstate order by 1',
        )
        return rows.map(({ state }) => state).join() === 'primary,secondary'
      }),
    )
  try {
    await start(monitor, ['create', 'monitor', '--run', '--pgport', String(monitor.port), ...COMMON])
    await until('the monitor does not start', () => onNode(monitorUrl, async () => true))
    await until('the monitor has no extension', () => setUp(monitor.port))
    for (const node of [primary, replica]) {
      await start(node, [
        'create',
        'postgres',
        '--run',
        '--name',
        node.name,
        '--pgport',
        String(node.port),
        ...COMMON,
        '--dbname',
        'quittance',
        '--username',
        'quittance',
        '--monitor',
        monitorUrl,
      ])
      await until(`${node.name} is not registered`, () => isRegistered(monitorUrl, node))
    }
    await untilPaired()
  } catch (error) {
    const { stdout } = await promisify(execFile)('tail', [
      '-n',
      '15',
      ...['monitor', 'a', 'b'].map((name) => join(root, `${name}.log`)),
    ]).catch(() => ({ stdout: '' }))
    await stop()
    throw new Error(`pg_auto_failover did not start: ${stdout}`, { cause: error })
  }
  const hosts = `127.0.0.1:${primary.port},127.0.0.1:${replica.port}`
  return {
    url: `postgres://quittance@${hosts}/quittance?target_session_attrs=read-write`,
    failOver: async ({ hangs = false, onLost = () => {} } = {}) => {
      if (hangs) for (const pid of await treeOf(primary.process?.pid)) signalIfAlive(pid, 'SIGSTOP')
      else await killTree(primary)
      onLost()
      await until('the replica is not promoted', () => isPrimary(replica))
      ;[primary, replica] = [replica, primary]
    },
    rejoin: async () => {
      await killTree(replica)
      await rm(join(replica.dataDir, 'postmaster.pid'), { force: true })
      await start(replica, ['run'])
      await untilPaired()
    },
    stop,
  }
}

async function setUp(port: number): Promise<boolean> {
  return onNode(`postgres://postgres@127.0.0.1:${port}/pg_auto_failover`, async (client) => {
    for (const [name, value] of Object.entries(MONITOR_SETTINGS)) {
      await client.query(`alter system set pgautofailover.${name} = ${value}`)
    }
    await client.query('select pg_reload_conf()')
    return true
  })
}

function isRegistered(monitorUrl: string, { name }: Node): Promise<boolean> {
  return onNode(monitorUrl, async (client) => {
    const { rowCount } = await client.query(
      `select from pgautofailover.node where nodename = $1 and reportedstate <> 'init'`,
      [name],
    )
    return rowCount === 1
  })
}

function isPrimary({ port }: Node): Promise<boolean> {
  return onNode(`postgres://quittance@127.0.0.1:${port}/quittance`, async (client) => {
    const { rows } = await client.query<{ is_primary: boolean }>(
      'select not pg_is_in_recovery() as is_primary',
    )
    return rows[0]?.is_primary === true
  })
}

/**
 * Resolves once the system has forgotten the processes. While one is a zombie, PostgreSQL takes its lock file for
 * a running server's, and pg_autoctl does not try to start it again.
 */
async function killTree(node: Node): Promise<void> {
  const tree = await treeOf(node.process?.pid)
  node.process = undefined
  for (const pid of tree) signalIfAlive(pid, 'SIGKILL')
  await until(`${node.name} is not dead`, async () => !tree.some(isKnown))
}

function isKnown(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function until(problem: string, condition: () => Promise<boolean>): Promise<void> {
  const startedAtMs = performance.now()
  let last: unknown
  for (;;) {
    const holds = await condition().catch((error: unknown) => {
      last = error
      return false
    })
    if (holds) return
    if (performance.now() - startedAtMs > READY_MS) {
      throw new Error(`${problem} after ${READY_MS / 1000} s`, { cause: last })
    }
    await sleep(POLL_MS)
  }
}

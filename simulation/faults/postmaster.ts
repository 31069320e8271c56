import { exec } from 'node:child_process'
import { readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { urlOnHost } from '#platform/postgres/hosts/host-list'
import { writableUrl } from '#platform/postgres/hosts/hosts'

/** The embedded PostgreSQL of a data directory; undefined when none runs. */
export async function postmasterPid(dataDir: string): Promise<number | undefined> {
  const directory = join(dataDir, 'postgres')
  const text = await readFile(join(directory, 'postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number(text.split('\n')[0])
  return Number.isInteger(pid) && pid > 1 && (await isPostmaster(pid, directory)) ? pid : undefined
}

/**
 * A pid file outlives its process, and the system reuses pids, so the working directory decides whether the process is
 * ours. The command line does not name the directory.
 */
async function isPostmaster(pid: number, directory: string): Promise<boolean> {
  if (process.platform !== 'linux') return true
  return (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === directory
}

/** A shell command that crashes the database at `url`, or one of its nodes. */
interface CrashCommand {
  readonly command: string
  readonly url: string
}

const SESSION_TIMEOUT_MS = 2_000
/** A backend ends a moment after its postmaster. */
const END_OF_BACKENDS_MS = 300

/**
 * Returns whether a database was hit: a command that succeeds may have crashed nothing, so a session on each node shows whether it
 * was interrupted.
 */
export async function crashByCommand({ command, url }: CrashCommand): Promise<boolean> {
  const sessions = await openSessions(url).catch(() => [])
  try {
    await promisify(exec)(command)
    await sleep(END_OF_BACKENDS_MS)
    return (await Promise.all(sessions.map(answers))).includes(false)
  } finally {
    for (const session of sessions) void session.end().catch(() => {})
  }
}

/** One session, on Citus one on each node that can be reached. */
async function openSessions(url: string): Promise<pg.Client[]> {
  const coordinatorUrl = await writableUrl(url)
  const coordinator = await openSession(coordinatorUrl)
  const { rows: citus } = await coordinator.query(`select from pg_extension where extname = 'citus'`)
  if (citus.length === 0) return [coordinator]
  const { rows: nodes } = await coordinator.query<{ host: string; port: number }>(
    `select nodename as host, nodeport as port from pg_dist_node where noderole = 'primary' and groupid <> 0`,
  )
  const opened = await Promise.allSettled(
    nodes.map(({ host, port }) => openSession(urlOnHost(coordinatorUrl, host, port))),
  )
  return [coordinator, ...opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))]
}

async function openSession(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: SESSION_TIMEOUT_MS })
  client.on('error', () => {})
  await client.connect()
  return client
}

function answers(session: pg.Client): Promise<boolean> {
  const answered = session.query('select 1').then(
    () => true,
    () => false,
  )
  return Promise.race([answered, sleep(SESSION_TIMEOUT_MS, false, { ref: false })])
}

export function killIfAlive(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal)
    return true
  } catch {
    return false
  }
}

export async function stopPostmaster(pid: number): Promise<void> {
  if (!killIfAlive(pid, 'SIGQUIT')) return
  for (let waitedMs = 0; waitedMs < 5_000 && killIfAlive(pid, 0); waitedMs += 50) await sleep(50)
  killIfAlive(pid, 'SIGKILL')
}

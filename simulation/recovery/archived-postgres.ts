import { execFile, type ExecFileOptions } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from '#platform/embedded-postgres/free-port'

const run = promisify(execFile)
const BINARIES = '/usr/lib/postgresql/15/bin'
const PGBACKREST = '/usr/bin/pgbackrest'
const STANZA = 'quittance'
const ARCHIVE_TIMEOUT_MS = 60_000
const RECOVERY_TIMEOUT_MS = 120_000

/** PostgreSQL 15 of Debian with pgBackRest, as docs/operating/backup.md sets it up. Root runs both as `postgres`. */
export class ArchivedPostgres {
  readonly #root: string
  readonly #port: number
  readonly #identity: Pick<ExecFileOptions, 'uid' | 'gid'>

  private constructor(root: string, port: number, identity: Pick<ExecFileOptions, 'uid' | 'gid'>) {
    this.#root = root
    this.#port = port
    this.#identity = identity
  }

  static async start(root: string): Promise<ArchivedPostgres> {
    for (const file of [PGBACKREST, join(BINARIES, 'postgres')]) {
      if (!existsSync(file))
        throw new Error(
          `${file} is missing: run "apt-get install --no-install-recommends postgresql-15 pgbackrest".`,
        )
    }
    const identity = process.getuid?.() === 0 ? await idsOf('postgres') : {}
    const postgres = new ArchivedPostgres(root, await freePort(), identity)
    for (const folder of ['', 'repository', 'log', 'lock', 'spool', 'socket'])
      await postgres.#makeFolder(folder)
    await postgres.#configureBackups()
    await postgres.#initialize()
    await postgres.startServer()
    await postgres.#createDatabase()
    await postgres.#pgbackrest('stanza-create')
    return postgres
  }

  get url(): string {
    return `postgres://quittance:secret@127.0.0.1:${this.#port}/quittance`
  }

  async backup(): Promise<void> {
    await this.#pgbackrest('backup', '--type=full')
  }

  async query<Row extends object>(text: string): Promise<Row[]> {
    const client = new pg.Client({
      host: '127.0.0.1',
      port: this.#port,
      user: 'postgres',
      password: 'secret',
      database: 'quittance',
    })
    await client.connect()
    try {
      return (await client.query<Row>(text)).rows
    } finally {
      await client.end()
    }
  }

  /** Archives everything that was written so far. What is written later is lost with the machine. */
  async archiveAll(): Promise<void> {
    const [last] = await this.query<{ file: string }>(
      'select pg_walfile_name(pg_current_wal_lsn()) as file from (select pg_current_wal_lsn()) as _',
    )
    await this.query('select pg_switch_wal()')
    for (let waitedMs = 0; waitedMs < ARCHIVE_TIMEOUT_MS; waitedMs += 200) {
      const [archived] = await this.query<{ file: string | null }>(
        'select last_archived_wal as file from pg_stat_archiver',
      )
      if ((archived?.file ?? '') >= (last?.file ?? '')) return
      await sleep(200)
    }
    throw new Error(`the WAL was not archived within ${ARCHIVE_TIMEOUT_MS / 1000} s`)
  }

  /** Kills the server and deletes its files, as when the machine is lost. */
  async destroy(): Promise<void> {
    await this.#kill('SIGKILL')
    await rm(this.#data, { recursive: true })
  }

  /** Recovers to `time` on the empty machine, and waits until the database takes writes. */
  async recover(time: string): Promise<void> {
    await this.#makeFolder('data')
    await chmod(this.#data, 0o700)
    await this.#pgbackrest('restore', '--type=time', `--target=${time}`, '--target-action=promote')
    await this.startServer()
    for (let waitedMs = 0; waitedMs < RECOVERY_TIMEOUT_MS; waitedMs += 200) {
      const [state] = await this.query<{ recovering: boolean }>('select pg_is_in_recovery() as recovering')
      if (state?.recovering === false) return
      await sleep(200)
    }
    throw new Error(`the database is still in recovery after ${RECOVERY_TIMEOUT_MS / 1000} s`)
  }

  async stop(): Promise<void> {
    if (!existsSync(join(this.#data, 'postmaster.pid'))) return
    await this.#kill('SIGQUIT')
  }

  async startServer(): Promise<void> {
    const log = join(this.#root, 'log', 'postgres.log')
    await this.#run(join(BINARIES, 'pg_ctl'), ['-D', this.#data, '-l', log, '-w', '-t', '120', 'start'])
  }

  get #data(): string {
    return join(this.#root, 'data')
  }

  get #configuration(): string {
    return join(this.#root, 'pgbackrest.conf')
  }

  async #makeFolder(name: string): Promise<void> {
    const path = join(this.#root, name)
    await mkdir(path, { recursive: true })
    const { uid, gid } = this.#identity
    if (uid !== undefined && gid !== undefined) await chown(path, uid, gid)
  }

  async #configureBackups(): Promise<void> {
    const path = (folder: string) => join(this.#root, folder)
    const text = [
      '[global]',
      `repo1-path=${path('repository')}`,
      'repo1-retention-full=2',
      `log-path=${path('log')}`,
      `lock-path=${path('lock')}`,
      `spool-path=${path('spool')}`,
      'start-fast=y',
      '[quittance]',
      `pg1-path=${this.#data}`,
      `pg1-port=${this.#port}`,
      `pg1-socket-path=${path('socket')}`,
      'pg1-user=postgres',
      '',
    ].join('\n')
    await writeFile(this.#configuration, text, { mode: 0o644 })
  }

  async #initialize(): Promise<void> {
    const passwords = join(this.#root, 'password')
    await writeFile(passwords, 'secret\n', { mode: 0o644 })
    await this.#run(join(BINARIES, 'initdb'), [
      '-D',
      this.#data,
      '-U',
      'postgres',
      '--auth-host=scram-sha-256',
      '--auth-local=trust',
      `--pwfile=${passwords}`,
    ])
    const settings = [
      `port = ${this.#port}`,
      "listen_addresses = '127.0.0.1'",
      `unix_socket_directories = '${join(this.#root, 'socket')}'`,
      'archive_mode = on',
      `archive_command = '${PGBACKREST} --config=${this.#configuration} --stanza=${STANZA} archive-push %p'`,
      'max_connections = 100',
      '',
    ]
    const file = join(this.#data, 'postgresql.conf')
    await writeFile(file, `${await readFile(file, 'utf8')}\n${settings.join('\n')}`)
  }

  async #createDatabase(): Promise<void> {
    const client = new pg.Client({
      host: '127.0.0.1',
      port: this.#port,
      user: 'postgres',
      password: 'secret',
      database: 'postgres',
    })
    await client.connect()
    try {
      await client.query(`create role quittance login createrole password 'secret'`)
      await client.query('create database quittance owner quittance')
    } finally {
      await client.end()
    }
  }

  #pgbackrest(command: string, ...options: string[]): Promise<unknown> {
    return this.#run(PGBACKREST, [
      `--config=${this.#configuration}`,
      `--stanza=${STANZA}`,
      '--log-level-console=warn',
      ...options,
      command,
    ])
  }

  async #run(file: string, args: readonly string[]): Promise<unknown> {
    return run(file, [...args], {
      ...this.#identity,
      cwd: this.#root,
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' },
    })
  }

  async #kill(signal: NodeJS.Signals): Promise<void> {
    const pid = Number((await readFile(join(this.#data, 'postmaster.pid'), 'utf8')).split('\n')[0])
    process.kill(pid, signal)
    while (existsSync(`/proc/${pid}`)) await sleep(50)
    // Backends end a moment after their postmaster.
    while ((await processesIn(this.#data)) > 0) await sleep(50)
  }
}

async function processesIn(directory: string): Promise<number> {
  const { readlink } = await import('node:fs/promises')
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const folders = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')))
  return folders.filter((folder) => folder === directory).length
}

async function idsOf(user: string): Promise<{ uid: number; gid: number }> {
  const line = (await readFile('/etc/passwd', 'utf8')).split('\n').find((one) => one.startsWith(`${user}:`))
  const [, , uid, gid] = line?.split(':') ?? []
  if (uid === undefined || gid === undefined) throw new Error(`there is no user ${user}`)
  return { uid: Number(uid), gid: Number(gid) }
}

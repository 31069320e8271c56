import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdtemp, readFile, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { postgres15 } from '#platform/testing/postgres15'
import { accountFor, ownPostgres, preparedBinaries } from './binaries.ts'
import { leftBehindPostmaster, noteOnSpace } from './process.ts'
import {
  acquireDataDirLock,
  DataDirInUse,
  type EmbeddedPostgres,
  runningPostgresUrl,
  startEmbeddedPostgres,
} from './embedded-postgres.ts'

// No other user may enter this directory.
let scratch: string
// A stopped cluster that tests copy, so that initdb runs once.
let template: string
const running: EmbeddedPostgres[] = []
const services: ChildProcess[] = []
const logged: string[] = []

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'quittance-embedded-'))
  template = join(scratch, 'template')
  const fresh = await start(template)
  await query(fresh.url, 'create table kept (value int)')
  await query(fresh.url, 'insert into kept values (1)')
  await fresh.stop()
})

afterEach(async () => {
  for (const service of services.splice(0)) service.kill('SIGKILL')
  for (const postgres of running.splice(0)) await postgres.stop()
})

afterAll(async () => {
  await rm(scratch, { recursive: true, force: true })
})

async function start(dataDir: string, installed = ownPostgres()): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({
    dataDir,
    postgres: installed,
    log: (message) => logged.push(message),
  })
  running.push(postgres)
  return postgres
}

let copies = 0
async function dataDirWithRows(): Promise<string> {
  const dataDir = join(scratch, `data-${++copies}`)
  await cp(template, dataDir, { recursive: true })
  return dataDir
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

async function postmasterOf(dataDir: string): Promise<number> {
  const left = await leftBehindPostmaster(join(dataDir, 'postgres'))
  if (left === undefined) throw new Error('no server runs')
  return left.postmaster.pid
}

/** A process that takes the lock, starts PostgreSQL if asked to, prints a line and keeps running. */
function spawnService(dataDir: string, postgres: boolean): ChildProcess {
  const script = `
    import { acquireDataDirLock, startEmbeddedPostgres } from ${JSON.stringify(join(import.meta.dirname, 'embedded-postgres.ts'))}
    setInterval(() => {}, 1000)
    try {
      globalThis.lock = await acquireDataDirLock(process.argv[1])
      const url = ${postgres} ? (await startEmbeddedPostgres({ dataDir: process.argv[1], log: () => {} })).url : ''
      console.log('runs ' + url)
    } catch (error) {
      console.log(error.name)
      process.exit(1)
    }`
  const service = spawn(process.execPath, ['--input-type=module-typescript', '-e', script, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  services.push(service)
  return service
}

async function firstLine(service: ChildProcess): Promise<string> {
  if (service.stdout === null) throw new Error('its output is a pipe')
  const [chunk] = (await once(service.stdout, 'data')) as [Buffer]
  return chunk.toString().trim()
}

async function kill(service: ChildProcess): Promise<void> {
  const exited = once(service, 'exit')
  service.kill('SIGKILL')
  await exited
}

// Proves reference/operations#starting, reference/operations#data-directory.
test('an empty directory becomes a durable database on loopback, in UTF-8, locale C and UTC, with a password', async () => {
  const postgres = await start(await dataDirWithRows())
  expect(postgres.url).toMatch(/^postgres:\/\/quittance:[\w-]{32}@127\.0\.0\.1:\d+\/quittance$/)
  const settings = await query(
    postgres.url,
    `select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes',
      'listen_addresses', 'server_encoding', 'TimeZone', 'data_checksums', 'jit', 'unix_socket_directories')`,
  )
  expect(Object.fromEntries(settings.map((row) => [row['name'], row['setting']]))).toEqual({
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    listen_addresses: '127.0.0.1',
    server_encoding: 'UTF8',
    TimeZone: 'UTC',
    data_checksums: 'on',
    jit: 'off',
    unix_socket_directories: '',
  })
  const [row] = await query(
    postgres.url,
    `select datcollate, datctype, (select rolsuper from pg_roles where rolname = current_user) as super
       from pg_database where datname = current_database()`,
  )
  expect(row).toEqual({ datcollate: 'C', datctype: 'C', super: true })
  await expect(query(postgres.url.replace(/:[\w-]{32}@/, ':wrong@'), 'select 1')).rejects.toMatchObject({
    code: '28P01',
  })
})

test('only the owner can read the password, and no value of a statement is logged', async () => {
  const dataDir = await dataDirWithRows()
  const postgres = await start(dataDir)
  expect((await stat(join(dataDir, 'postgres.json'))).mode & 0o777).toBe(0o600)
  expect((await stat(join(dataDir, 'postgres.log'))).mode & 0o777).toBe(0o600)
  await query(postgres.url, 'create unique index on kept (value)')
  await expect(query(postgres.url, 'insert into kept values (1)')).rejects.toMatchObject({ code: '23505' })
  await expect(query(postgres.url, `select 'not-a-number-at-all'::int`)).rejects.toMatchObject({
    code: '22P02',
  })
  const log = await readFile(join(dataDir, 'postgres.log'), 'utf8')
  expect(log).toContain('ready to accept connections')
  expect(log).not.toMatch(/at-all|insert into|Key \(/)
})

test('rows survive a stop and a start', async () => {
  const postgres = await start(await dataDirWithRows())
  expect(await query(postgres.url, 'select value from kept')).toEqual([{ value: 1 }])
})

test('a restored backup that lost its file modes can be started', async () => {
  const dataDir = await dataDirWithRows()
  await chmod(join(dataDir, 'postgres'), 0o755)
  const postgres = await start(dataDir)
  expect(await query(postgres.url, 'select value from kept')).toEqual([{ value: 1 }])
})

test('a server that is killed restarts on the same port with everything committed', async () => {
  const dataDir = await dataDirWithRows()
  const postgres = await start(dataDir)
  await query(postgres.url, 'insert into kept values (2)')
  process.kill(await postmasterOf(dataDir), 'SIGKILL')
  for (let rows; rows === undefined; await delay(50)) {
    rows = await query(postgres.url, 'select count(*)::int as n from kept').catch(() => undefined)
    if (rows !== undefined) expect(rows).toEqual([{ n: 2 }])
  }
})

test('everything committed survives a kill of service and server, even when the process id was reused', async () => {
  const dataDir = await dataDirWithRows()
  const service = spawnService(dataDir, true)
  const url = (await firstLine(service)).replace('runs ', '')
  await query(url, 'insert into kept values (2)')
  const postmaster = await postmasterOf(dataDir)
  await kill(service)
  process.kill(postmaster, 'SIGKILL')
  // The id of this test process, which is not a PostgreSQL.
  const pidFile = join(dataDir, 'postgres', 'postmaster.pid')
  await writeFile(pidFile, (await readFile(pidFile, 'utf8')).replace(/^\d+/, String(process.pid)))
  const postgres = await start(dataDir)
  expect(await query(postgres.url, 'select value from kept order by value')).toEqual([
    { value: 1 },
    { value: 2 },
  ])
})

test('the server of a killed service is adopted, and transactions under way are rolled back', async () => {
  const dataDir = await dataDirWithRows()
  const service = spawnService(dataDir, true)
  const url = (await firstLine(service)).replace('runs ', '')
  const underWay = new pg.Client({ connectionString: url })
  underWay.on('error', () => {})
  await underWay.connect()
  await underWay.query('begin; delete from kept')
  const postmaster = await postmasterOf(dataDir)
  await kill(service)
  const postgres = await start(dataDir)
  expect(postgres.url).toBe(url)
  expect(await postmasterOf(dataDir)).toBe(postmaster)
  await expect(underWay.query('commit')).rejects.toThrow()
  expect(await query(postgres.url, 'select value from kept for update')).toEqual([{ value: 1 }])
  // An adopted server is supervised, too.
  process.kill(postmaster, 'SIGKILL')
  while ((await query(url, 'select 1').catch(() => [])).length === 0) await delay(50)
})

test('a running server with other settings is restarted with ours', async () => {
  const dataDir = await dataDirWithRows()
  const service = spawnService(dataDir, true)
  await firstLine(service)
  const postmaster = await postmasterOf(dataDir)
  await kill(service)
  const settings = { work_mem: '8MB' }
  const changed = await startEmbeddedPostgres({ dataDir, settings, log: (message) => logged.push(message) })
  running.push(changed)
  expect(await postmasterOf(dataDir)).not.toBe(postmaster)
  expect(await query(changed.url, 'show work_mem')).toEqual([{ work_mem: '8MB' }])
})

test('a running server that waits forever for its shutdown is replaced', async () => {
  const dataDir = await dataDirWithRows()
  const service = spawnService(dataDir, true)
  const client = new pg.Client({ connectionString: (await firstLine(service)).replace('runs ', '') })
  client.on('error', () => {})
  await client.connect()
  await kill(service)
  process.kill(await postmasterOf(dataDir), 'SIGTERM')
  await delay(100)
  const postgres = await start(dataDir)
  expect(await query(postgres.url, 'select value from kept')).toEqual([{ value: 1 }])
  await expect(client.query('select 1')).rejects.toThrow()
})

test('PostgreSQL 15 runs too, and the directory of another version is refused', async () => {
  const dataDir = join(scratch, 'fifteen')
  const postgres = await start(dataDir, await postgres15())
  const [row] = await query(postgres.url, 'show server_version_num')
  expect(String(row?.['server_version_num'])).toMatch(/^15/)
  await postgres.stop()
  await expect(start(dataDir)).rejects.toThrow(
    /was made by PostgreSQL 15, and this Quittance brings PostgreSQL 18/,
  )
})

test('concurrent starts add the links and execute bits that npm did not make', async () => {
  const native = join(scratch, 'clone', 'native')
  await cp(ownPostgres().native, native, { recursive: true, verbatimSymlinks: true })
  const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as { target: string }[]
  for (const { target } of links) await rm(join(native, '..', target), { force: true })
  await chmod(join(native, 'bin', 'postgres'), 0o644)
  await chmod(scratch, 0o755)
  const account = await accountFor(native)
  const prepared = await Promise.all(Array.from({ length: 8 }, () => preparedBinaries(native, account)))
  await chmod(scratch, 0o700)
  expect(new Set(prepared.map((binaries) => binaries.postgres))).toEqual(
    new Set([join(native, 'bin', 'postgres')]),
  )
})

test.runIf(process.getuid?.() === 0)(
  'as root, binaries that no other user can reach are copied to where it can',
  async () => {
    const native = join(scratch, 'unreachable', 'native')
    await cp(ownPostgres().native, native, { recursive: true, verbatimSymlinks: true })
    const account = await accountFor(native)
    // Staggered, so that some start while others finish.
    const started = Array.from({ length: 8 }, async (_, nth) => {
      await delay(nth * 40)
      return preparedBinaries(native, account)
    })
    const [one, ...others] = await Promise.all(started)
    if (one === undefined) throw new Error('nothing was prepared')
    const copy = join(one.postgres, '..', '..')
    try {
      expect(one.postgres.startsWith(join(tmpdir(), 'quittance-postgres-'))).toBe(true)
      for (const other of others) expect(other).toEqual(one)
      const removed = join(copy, 'share', 'postgresql', 'timezonesets', 'Default')
      await rm(removed)
      const again = await Promise.all(Array.from({ length: 8 }, () => preparedBinaries(native, account)))
      for (const binaries of again) expect(binaries).toEqual(one)
      expect((await stat(removed)).isFile()).toBe(true)
    } finally {
      await rm(copy, { recursive: true, force: true })
    }
  },
)

test('of services that start at the same time, exactly one gets the directory', async () => {
  const dataDir = join(scratch, 'contended')
  const lines = await Promise.all(Array.from({ length: 12 }, () => firstLine(spawnService(dataDir, false))))
  expect(lines.toSorted()).toEqual([...Array.from({ length: 11 }, () => 'DataDirInUse'), 'runs'])
})

test('the lock of a killed service is free at once, and a held lock is refused', async () => {
  const dataDir = join(scratch, 'locked')
  const service = spawnService(dataDir, false)
  await firstLine(service)
  await expect(acquireDataDirLock(dataDir)).rejects.toThrow(
    `Quittance already runs on ${dataDir} (process ${service.pid} on `,
  )
  await kill(service)
  const lock = await acquireDataDirLock(dataDir)
  await expect(acquireDataDirLock(dataDir)).rejects.toBeInstanceOf(DataDirInUse)
  await lock.release()
  await (await acquireDataDirLock(dataDir)).release()
})

test('a command finds the database of a running service, and none when no service runs', async () => {
  const dataDir = await dataDirWithRows()
  expect(await runningPostgresUrl(join(scratch, 'nowhere'))).toBeUndefined()
  expect(await runningPostgresUrl(dataDir)).toBeUndefined()
  const service = spawnService(dataDir, true)
  const line = await firstLine(service)
  expect(`runs ${await runningPostgresUrl(dataDir)}`).toBe(line)
  await kill(service)
  // The server still runs, but the service does not.
  expect(await runningPostgresUrl(dataDir)).toBeUndefined()
  await start(dataDir)
})

test('a server that cannot be restarted is reported with the reason', async () => {
  const dataDir = await dataDirWithRows()
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} })
  const reported = new Promise<string>((resolve) => postgres.onExit(resolve))
  const postmaster = await postmasterOf(dataDir)
  await rm(join(dataDir, 'postgres', 'global', 'pg_control'))
  process.kill(postmaster, 'SIGKILL')
  expect(await reported).toMatch(
    /^PostgreSQL ended and could not be started again\. PostgreSQL exited at startup: .*pg_control/,
  )
  await postgres.stop()
})

test('a server that keeps ending after its start is reported', async () => {
  const dataDir = await dataDirWithRows()
  const runs: number[] = []
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: (message) => {
      const again = /^PostgreSQL runs again \(process (\d+)\)/.exec(message)
      if (again === null) return
      runs.push(Number(again[1]))
      process.kill(Number(again[1]), 'SIGKILL')
    },
  })
  running.push(postgres)
  const reported = new Promise<string>((resolve) => postgres.onExit(resolve))
  process.kill(await postmasterOf(dataDir), 'SIGKILL')
  expect(await reported).toBe('PostgreSQL ended and could not be started again.')
  expect(runs).toHaveLength(5)
})

test('a failed start mentions the disk when little space is left', async () => {
  const disk = await statfs(tmpdir())
  const withFree = (bytes: number) =>
    noteOnSpace('/data', (async () => ({ ...disk, bsize: 1, bavail: bytes })) as unknown as typeof statfs)
  expect(await withFree(3_500_000)).toBe('. The disk of /data has 3 MB left: make room there.')
  expect(await withFree(500_000_000)).toBe('')
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { accountFor } from '#platform/embedded-postgres/binaries'
import { freePort } from '#platform/embedded-postgres/free-port'

/** Debian's pgbouncer before the database at `databaseUrl`. */
export async function startPgbouncer(
  databaseUrl: string,
  mode: 'session' | 'transaction' | 'statement',
  ownPort?: number,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'quittance-pgbouncer-'))
  const account = await accountFor(directory)
  const port = ownPort ?? (await freePort())
  const { hostname, port: databasePort, username, password, pathname } = new URL(databaseUrl)
  const file = join(directory, 'pgbouncer.ini')
  await writeFile(
    file,
    `[databases]
quittance = host=${hostname} port=${databasePort} dbname=${pathname.slice(1)} user=${username} password=${decodeURIComponent(password)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 30
`,
  )
  if (account !== undefined) for (const path of [directory, file]) await chown(path, account.uid, account.gid)
  const child = spawn('/usr/sbin/pgbouncer', ['-q', file], { ...account, stdio: 'ignore' })
  const url = `postgres://${username}@127.0.0.1:${port}/quittance`
  const stop = async (): Promise<void> => {
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
    await rm(directory, { recursive: true, force: true })
  }
  for (let tries = 0; tries < 100; tries++) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    const answers = await client.connect().then(
      () => true,
      () => false,
    )
    await client.end().catch(() => {})
    if (answers) return { url, stop }
    await sleep(50)
  }
  await stop()
  throw new Error('pgbouncer does not answer')
}

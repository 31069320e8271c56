import { execFile } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** pgbench from PATH or from Debian's folders; the embedded PostgreSQL comes without it. */
function findPgbench(): string {
  const onPath = (process.env['PATH'] ?? '').split(':').map((folder) => join(folder, 'pgbench'))
  const found = [...globSync('/usr/lib/postgresql/*/bin/pgbench'), ...onPath].find((path) => existsSync(path))
  if (found === undefined)
    throw new Error('pgbench is not installed; Debian has it in the package postgresql-15')
  return found
}

/** Runs a script and answers how many times a second it was done. */
export async function pgbench(options: {
  readonly url: string
  readonly script: string
  readonly clients: number
  readonly seconds: number
}): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-pgbench-'))
  const file = join(folder, 'script.sql')
  await writeFile(file, options.script)
  try {
    const how = ['--no-vacuum', '--protocol=prepared', '--jobs=1', `--file=${file}`]
    const load = [`--client=${options.clients}`, `--time=${options.seconds}`]
    const { stdout } = await promisify(execFile)(findPgbench(), [...how, ...load, options.url])
    const rate = /tps = ([\d.]+)/.exec(stdout)?.[1]
    if (rate === undefined) throw new Error(`pgbench printed no rate:\n${stdout}`)
    return Number(rate)
  } finally {
    await rm(folder, { recursive: true })
  }
}

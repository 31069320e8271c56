import { execFile } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { percentile } from './report.ts'

/** pgbench from PATH or from Debian's folders; the embedded PostgreSQL comes without it. */
function findPgbench(): string {
  const onPath = (process.env['PATH'] ?? '').split(':').map((folder) => join(folder, 'pgbench'))
  const found = [...globSync('/usr/lib/postgresql/*/bin/pgbench'), ...onPath].find((path) => existsSync(path))
  if (found === undefined)
    throw new Error('pgbench is not installed; Debian has it in the package postgresql-15')
  return found
}

interface Load {
  readonly url: string
  readonly script: string
  readonly clients: number
  readonly seconds: number
}

/** Runs a script and answers how many times a second it was done. */
export async function pgbench(load: Load): Promise<number> {
  return inFolder(async (folder) => {
    const printed = await run(folder, load, [])
    const rate = /tps = ([\d.]+)/.exec(printed)?.[1]
    if (rate === undefined) throw new Error(`pgbench printed no rate:\n${printed}`)
    return Number(rate)
  })
}

/** Runs a script at a rate and answers the 99th percentile, in milliseconds, from when each was to begin. */
export async function pgbenchP99(load: Load, rate: number): Promise<number> {
  return inFolder(async (folder) => {
    await run(folder, load, [`--rate=${rate}`, '--log'])
    const texts = await Promise.all(
      globSync(join(folder, 'pgbench_log.*')).map((path) => readFile(path, 'utf8')),
    )
    // client, transaction, time in microseconds, …
    const lines = texts.join('').trim().split('\n')
    return percentile(
      lines.map((line) => Number(line.split(' ')[2]) / 1_000),
      0.99,
    )
  })
}

async function run(folder: string, load: Load, more: readonly string[]): Promise<string> {
  const file = join(folder, 'script.sql')
  await writeFile(file, load.script)
  const how = ['--no-vacuum', '--protocol=prepared', '--jobs=1', `--file=${file}`]
  const much = [`--client=${load.clients}`, `--time=${load.seconds}`]
  const { stdout } = await promisify(execFile)(findPgbench(), [...how, ...much, ...more, load.url], {
    cwd: folder,
  })
  return stdout
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-pgbench-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

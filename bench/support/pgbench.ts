import { execFile } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { percentile } from './report.ts'

/** The embedded PostgreSQL has no pgbench. */
function findPgbench(): string {
  const onPath = (process.env['PATH'] ?? '').split(':').map((folder) => join(folder, 'pgbench'))
  const path = [...globSync('/usr/lib/postgresql/*/bin/pgbench'), ...onPath].find((candidate) =>
    existsSync(candidate),
  )
  if (path === undefined)
    throw new Error('pgbench is not installed; on Debian, install the package postgresql-15')
  return path
}

interface Load {
  readonly url: string
  readonly script: string
  readonly clients: number
  readonly seconds: number
}

export async function pgbench(load: Load): Promise<number> {
  return withFolder(async (folder) => {
    const printed = await run(folder, load, [])
    const rate = /tps = ([\d.]+)/.exec(printed)?.[1]
    if (rate === undefined) throw new Error(`the output of pgbench has no tps:\n${printed}`)
    return Number(rate)
  })
}

/** Runs a script at a rate and returns the 99th percentile of its latency in milliseconds, from the scheduled start. */
export async function pgbenchP99(load: Load, rate: number): Promise<number> {
  return withFolder(async (folder) => {
    await run(folder, load, [`--rate=${rate}`, '--log'])
    const texts = await Promise.all(
      globSync(join(folder, 'pgbench_log.*')).map((path) => readFile(path, 'utf8')),
    )
    // Each line has the client, the transaction and the latency in microseconds, and more.
    const lines = texts.join('').trim().split('\n')
    return percentile(
      lines.map((line) => Number(line.split(' ')[2]) / 1_000),
      0.99,
    )
  })
}

async function run(folder: string, load: Load, options: readonly string[]): Promise<string> {
  const file = join(folder, 'script.sql')
  await writeFile(file, load.script)
  const fixed = ['--no-vacuum', '--protocol=prepared', '--jobs=1', `--file=${file}`]
  const duration = [`--client=${load.clients}`, `--time=${load.seconds}`]
  const { stdout } = await promisify(execFile)(findPgbench(), [...fixed, ...duration, ...options, load.url], {
    cwd: folder,
  })
  return stdout
}

async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-pgbench-'))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

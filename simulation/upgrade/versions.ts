import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { REPOSITORY_ROOT } from '../../scenarios/harness/service.ts'

const run = promisify(execFile)

/** The last version that refuses every newer database. */
export const BEFORE_THE_RULE = '7f5a0957'

/** A checkout of a commit with the packages of its own time; undefined where the history does not reach back to it. */
export async function checkOut(commit: string, directory: string): Promise<string | undefined> {
  const git = (...args: string[]) => run('git', ['-C', REPOSITORY_ROOT, ...args])
  if (
    !(await git('cat-file', '-e', `${commit}^{commit}`).then(
      () => true,
      () => false,
    ))
  )
    return undefined
  await mkdir(directory, { recursive: true })
  const archive = spawn('git', ['-C', REPOSITORY_ROOT, 'archive', commit], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const unpack = spawn('tar', ['-x', '-C', directory], { stdio: ['pipe', 'inherit', 'inherit'] })
  archive.stdout.pipe(unpack.stdin)
  const [code] = (await once(unpack, 'close')) as [number]
  if (code !== 0) throw new Error(`cannot check out ${commit}`)
  await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: directory })
  return directory
}

/** A copy of this checkout as it is, with further migrations. */
export async function copyWith(
  migrations: Readonly<Record<string, string>>,
  directory: string,
): Promise<string> {
  const { stdout } = await run('git', [
    '-C',
    REPOSITORY_ROOT,
    'ls-files',
    'src',
    'migrations',
    'package.json',
    'tsconfig.json',
  ])
  for (const file of stdout.split('\n').filter((name) => name !== '')) {
    await mkdir(join(directory, dirname(file)), { recursive: true })
    await cp(join(REPOSITORY_ROOT, file), join(directory, file))
  }
  for (const [name, text] of Object.entries(migrations))
    await writeFile(join(directory, 'migrations', `${name}.sql`), text)
  await symlink(join(REPOSITORY_ROOT, 'node_modules'), join(directory, 'node_modules'))
  return directory
}

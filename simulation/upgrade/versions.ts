import { execFile } from 'node:child_process'
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { REPOSITORY_ROOT } from '../../scenarios/harness/service.ts'

const run = promisify(execFile)

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

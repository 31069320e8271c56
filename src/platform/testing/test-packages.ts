import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const MANIFEST = join(ROOT, 'test-packages')

/**
 * The folder in which the packages of `test-packages/package.json` are installed, which takes a minute the first time. Only tests
 * and checks run these 320 MB, so `npm ci` leaves them out. Safe in several processes at once.
 */
export async function testPackages(): Promise<string> {
  const lock = await readFile(join(MANIFEST, 'package-lock.json'))
  const name = createHash('sha256').update(lock).digest('hex').slice(0, 16)
  const folder = join(ROOT, 'node_modules/.cache', `test-packages-${name}`)
  if (!existsSync(folder)) await install(folder)
  return folder
}

/** The folder gets its name when it is complete. */
async function install(folder: string): Promise<void> {
  await mkdir(join(ROOT, 'node_modules/.cache'), { recursive: true })
  const unfinished = await mkdtemp(`${folder}-`)
  try {
    for (const file of ['package.json', 'package-lock.json']) {
      await copyFile(join(MANIFEST, file), join(unfinished, file))
    }
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    await promisify(execFile)('npm', ['ci', ...flags], { cwd: unfinished })
    await rename(unfinished, folder).catch((error: unknown) => {
      // Another process has installed them meanwhile.
      if (!existsSync(folder)) throw error
    })
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { REPOSITORY_ROOT } from './service.ts'

let built: Promise<unknown> | undefined

/** Builds the console if a source has changed since, which only the first call of a process looks at. */
export async function buildConsole(): Promise<void> {
  built ??= promisify(execFile)(process.execPath, ['web/console/scripts/build.js'], { cwd: REPOSITORY_ROOT })
  await built
}

import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { ConfigError } from '#platform/config'
import { messageOf } from '#platform/thrown'

/**
 * Makes the directory with its parents, mode 0700, unless it exists. Throws `ConfigError`.
 * @param variable the environment variable to name in the error
 */
export function makeDataDirectory(directory: string, variable = 'DATA_DIR'): void {
  try {
    makeWithParents(directory)
  } catch (error) {
    throw new ConfigError([
      `${variable} must be a directory that Quittance may create and write (${messageOf(error)}).`,
    ])
  }
}

/** Not `mkdir` with `recursive`: under /proc the recursive call of Node 26 never returns. */
function makeWithParents(directory: string): void {
  if (isDirectory(directory)) return
  if (dirname(directory) !== directory) makeWithParents(dirname(directory))
  try {
    mkdirSync(directory, { mode: 0o700 })
  } catch (error) {
    // Another process may have made the directory in the meantime.
    if (!isDirectory(directory)) throw error
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

// @ts-check
import { randomUUID } from 'node:crypto'
import { renameSync, rmSync } from 'node:fs'

/**
 * Builds a folder beside the one in use, unless that is fresh, and then takes its place. Several processes may do it at once. With
 * `--optional` a failure is reported and the exit code stays 0. It is JavaScript because `npm ci` may run it on a Node that does
 * not read TypeScript.
 * @param {object} options
 * @param {string} options.name such as "the console"
 * @param {string} options.folder
 * @param {() => boolean} options.isFresh
 * @param {(folder: string) => Promise<void>} options.build writes into the folder that it is given
 * @param {string} options.without what works all the same after a failure, and how to try again
 */
export async function buildFolder({ name, folder, isFresh, build, without }) {
  if (isFreshNow()) return
  const startedAt = performance.now()
  console.log(`Building ${name} …`)
  const beside = `${folder}.${randomUUID()}`
  const replaced = `${beside}.replaced`
  try {
    await build(beside)
    takePlace()
    console.log(`Built ${name} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`)
  } catch (error) {
    console.error(`Could not build ${name}: ${error instanceof Error ? error.message : String(error)}`)
    if (process.argv.includes('--optional')) console.error(without)
    else process.exitCode = 1
  } finally {
    for (const left of [beside, replaced]) rmSync(left, { recursive: true, force: true })
  }

  /**
   * Only renames touch the folder in use, so that it is whole whenever it is there. When another process puts its own there between
   * the two renames, the loop looks again.
   */
  function takePlace() {
    while (!isFreshNow()) {
      rmSync(replaced, { recursive: true, force: true })
      rename(folder, replaced, ['ENOENT'])
      if (rename(beside, folder, ['ENOTEMPTY', 'EEXIST'])) return
    }
  }

  /** Another process may move the folder while its files are read. */
  function isFreshNow() {
    try {
      return isFresh()
    } catch {
      return false
    }
  }
}

/**
 * Returns false after an error with one of the codes.
 * @param {string} from
 * @param {string} to
 * @param {readonly string[]} codes
 */
function rename(from, to, codes) {
  try {
    renameSync(from, to)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && codes.includes(String(error.code))) return false
    throw error
  }
}

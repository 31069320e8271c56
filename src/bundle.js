// @ts-check
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))
export const BUNDLE = join(ROOT, 'dist')
export const MANIFEST = 'sources.json'

/**
 * Whether `scripts/build-program.js` has bundled the sources as they are now. It lists them in `MANIFEST`, which a
 * production directory does not have, because its sources do not change.
 * @returns {boolean}
 */
export function isBundled() {
  if (!existsSync(join(BUNDLE, 'program.js'))) return false
  const manifest = join(BUNDLE, MANIFEST)
  if (!existsSync(manifest)) return true
  const stamps = JSON.parse(readFileSync(manifest, 'utf8'))
  return stamps.every((/** @type {[string, number, number]} */ [path, modifiedAtMs, bytes]) => {
    const stats = statSync(join(ROOT, path), { throwIfNoEntry: false })
    return stats?.mtimeMs === modifiedAtMs && stats.size === bytes
  })
}

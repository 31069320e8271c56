// @ts-check
/**
 * `node make-secrets.js DIRECTORY` makes what compose.yaml needs and no repository may hold: the database's password and URL, and
 * an encryption key. Files that exist are kept.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const directory = process.argv[2] ?? '/run/quittance'
const password = make('database-password', () => randomBytes(24).toString('hex'))
make('database-url', () => `postgres://quittance:${password}@postgres:5432/quittance`)
make('encryption-keys', () => randomBytes(32).toString('base64'))

/**
 * @param {string} name
 * @param {() => string} content
 */
function make(name, content) {
  const file = join(directory, name)
  if (!existsSync(file)) writeFileSync(file, `${content()}\n`, { mode: 0o400, flag: 'wx' })
  return readFileSync(file, 'utf8').trim()
}

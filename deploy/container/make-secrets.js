// @ts-check
/**
 * `node make-secrets.js DIRECTORY` makes what compose.yaml needs and no repository may hold: the database's password and URL,
 * an encryption key and Grafana's password. Files that exist are kept.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** PostgreSQL and Grafana read theirs as users of their own. Only their containers and ours mount the directory. */
const FOR_OTHER_USERS = 0o444
const FOR_US = 0o400

const directory = process.argv[2] ?? process.cwd()
const password = make('database-password', () => randomBytes(24).toString('hex'), FOR_OTHER_USERS)
make('database-url', () => `postgres://quittance:${password}@postgres:5432/quittance`, FOR_US)
make('encryption-keys', () => randomBytes(32).toString('base64'), FOR_US)
make('grafana-password', () => randomBytes(12).toString('hex'), FOR_OTHER_USERS)

/**
 * @param {string} name
 * @param {() => string} content
 * @param {number} mode
 */
function make(name, content, mode) {
  const file = join(directory, name)
  if (!existsSync(file)) writeFileSync(file, `${content()}\n`, { mode, flag: 'wx' })
  return readFileSync(file, 'utf8').trim()
}

// @ts-check
/**
 * `node make-secrets.js DIRECTORY PASSWORDS` makes what compose.yaml needs and no repository may hold: the database's password and
 * URL, an encryption key and Grafana's password. Files that exist are kept. PASSWORDS/database and PASSWORDS/grafana each get a
 * copy of one password, for the containers that must not see the encryption keys.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** PostgreSQL and Grafana read theirs as users of their own. */
const FOR_OTHER_USERS = 0o444
const FOR_US = 0o400

const [, , directory = process.cwd(), passwords = directory] = process.argv
const password = make('database-password', () => randomBytes(24).toString('hex'))
make('database-url', () => `postgres://quittance:${password}@postgres:5432/quittance`)
make('encryption-keys', () => randomBytes(32).toString('base64'))
const grafanaPassword = make('grafana-password', () => randomBytes(12).toString('hex'))
copy(join(passwords, 'database', 'database-password'), password)
copy(join(passwords, 'grafana', 'grafana-password'), grafanaPassword)

/**
 * @param {string} name
 * @param {() => string} content
 */
function make(name, content) {
  const file = join(directory, name)
  if (!existsSync(file)) writeFileSync(file, `${content()}\n`, { mode: FOR_US, flag: 'wx' })
  return readFileSync(file, 'utf8').trim()
}

/**
 * @param {string} file
 * @param {string} content
 */
function copy(file, content) {
  rmSync(file, { force: true })
  writeFileSync(file, `${content}\n`, { mode: FOR_OTHER_USERS })
}

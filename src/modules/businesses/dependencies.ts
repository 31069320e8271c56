import type { Database } from '#platform/postgres/database'
import type { Keyring } from '#platform/security/keyring'

/** What the module needs of the platform; compose.ts gives it. */
export interface BusinessesDependencies {
  readonly db: Database
  readonly keyring: Pick<Keyring, 'seal' | 'open'>
}

import type { Database } from '#platform/postgres/database'
import type { Keyring } from '#platform/security/keyring'

export interface BusinessesDependencies {
  readonly db: Database
  readonly keyring: Pick<Keyring, 'seal' | 'open'>
}

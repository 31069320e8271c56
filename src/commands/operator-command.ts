import type { Businesses } from '#modules/businesses'
import type { Config } from '#platform/config'
import type { OpenKeyring } from '#platform/security/key-source'
import type { OperatorDatabase } from './operator-database.ts'

export interface CommandContext extends OperatorDatabase, OpenKeyring {
  readonly config: Config
  readonly businesses: Businesses
  /** Ids of the keys that the database is encrypted with. */
  readonly keyIdsInUse: readonly string[]
}

export interface CommandResult {
  readonly json: object
  readonly text: string
  /** Printed to standard error. */
  readonly warning?: string
}

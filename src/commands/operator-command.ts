import type { Businesses } from '#modules/businesses'
import type { Config } from '#platform/config'
import type { OpenKeyring } from '#platform/security/key-source'
import type { OperatorDatabase } from './operator-database.ts'

/** What a command works with. */
export interface Workplace extends OperatorDatabase, OpenKeyring {
  readonly config: Config
  readonly businesses: Businesses
  /** Of the keys that the database is encrypted with. */
  readonly keyIdsInUse: readonly string[]
}

/** What a command answers: for programs, and for people. */
export interface Result {
  readonly json: object
  readonly text: string
  /** What goes to standard error beside either. */
  readonly warning?: string
}

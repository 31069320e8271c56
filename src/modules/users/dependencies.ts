import type { Businesses } from '#modules/businesses'
import type { Mailer } from '#platform/mail/mailer'
import type { Log } from '#platform/observability/log'
import type { Database } from '#platform/postgres/database'
import type { Keyring } from '#platform/security/keyring'
import type { RecordAccess } from './access-log/access-record.ts'

export interface OidcSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly name: string
}

interface OperatorLog {
  page(query: Readonly<Record<string, unknown>>): Promise<{ readonly audit_entries: readonly object[] }>
  export(): AsyncIterable<string>
}

/** @property recordAccess adds to the audit log; called outside of transactions */
export interface UsersDependencies {
  readonly db: Database
  readonly keyring: Pick<Keyring, 'seal' | 'open'>
  readonly businesses: Pick<Businesses, 'profile' | 'create' | 'keyNames'>
  readonly publicUrl: () => string
  readonly oidc: OidcSettings | undefined
  readonly mailer: Mailer | undefined
  readonly log: Log
  readonly recordAccess: RecordAccess
  readonly operatorLog: OperatorLog
}

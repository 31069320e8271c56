import sql from 'sql-template-tag'
import type { Database } from '#platform/postgres/database'
import type { Keyring } from '#platform/security/keyring'
import { type Rewrap, rewrapColumn } from '#platform/security/rewrap'
import { credentialsBinding } from '../model/account.ts'

export function rewrapAcquirerCredentials(db: Database, keyring: Pick<Keyring, 'rewrap'>): Rewrap {
  return rewrapColumn(db, keyring, {
    table: sql`acquirer_accounts`,
    id: sql`id`,
    column: sql`sealed_credentials`,
    bindingOf: credentialsBinding,
  })
}

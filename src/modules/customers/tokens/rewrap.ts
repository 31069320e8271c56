import sql from 'sql-template-tag'
import type { Database } from '#platform/postgres/database'
import type { Keyring } from '#platform/security/keyring'
import { type Rewrap, rewrapColumn } from '#platform/security/rewrap'
import { sealBinding } from './card-vault.ts'

export function rewrapPaymentTokens(db: Database, keyring: Pick<Keyring, 'rewrap'>, batch?: number): Rewrap {
  const column = {
    table: sql`payment_tokens`,
    id: sql`token`,
    column: sql`sealed_number`,
    bindingOf: sealBinding,
  }
  return rewrapColumn(db, keyring, column, batch)
}

import sql from 'sql-template-tag'
import type { Database } from '#platform/postgres/database'
import type { Keyring } from '#platform/security/keyring'
import { type Rewrap, rewrapColumn } from '#platform/security/rewrap'
import { sealBinding } from './card-number.ts'

export function rewrapCardNumbers(db: Database, keyring: Pick<Keyring, 'rewrap'>): Rewrap {
  const column = { table: sql`cards`, id: sql`id`, column: sql`sealed_number`, bindingOf: sealBinding }
  return rewrapColumn(db, keyring, column)
}

import sql from 'sql-template-tag'
import type { Lookup } from '#modules/acquirers'
import type { Database } from '#platform/postgres/database'
import type { Keyring, SealBinding } from '#platform/security/keyring'
import { type Rewrap, rewrapColumn } from '#platform/security/rewrap'
import type { PaymentsContext } from '../context.ts'
import type { Operation } from '../model/operation.ts'

type Returned = Lookup['returned']

export function sealReturned(
  { keyring }: Pick<PaymentsContext, 'keyring'>,
  businessId: string,
  key: string,
  returned: Returned,
): string {
  return keyring.seal(JSON.stringify(returned), bindingOf(businessId, key))
}

/** Empty when it can no longer be decrypted: then a notice or the payer's deadline decides. */
export function openReturned(
  { keyring, log }: Pick<PaymentsContext, 'keyring' | 'log'>,
  businessId: string,
  { key, sealedReturned }: Operation,
): Returned {
  if (sealedReturned === null) return {}
  try {
    return JSON.parse(keyring.open(sealedReturned, bindingOf(businessId, key))) as Returned
  } catch (error) {
    log.error({ err: error, business_id: businessId, key }, 'cannot read what a payer brought back')
    return {}
  }
}

export function rewrapReturned(db: Database, keyring: Pick<Keyring, 'rewrap'>): Rewrap {
  const table = sql`acquirer_operations`
  return rewrapColumn(db, keyring, { table, id: sql`key`, column: sql`sealed_returned`, bindingOf })
}

function bindingOf(businessId: string, key: string): SealBinding {
  return { businessId, field: `acquirer_operations.sealed_returned ${key}` }
}

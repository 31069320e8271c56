import { type Instant, realClock } from '#kernel/clock'
import type { Caller } from '#platform/caller'
import { SignedTokens, type TokenClaims } from '#platform/security/tokens/signed-tokens'
import type { CustomersContext } from '../context.ts'
import { findCustomers } from '../storage/customer.repository.ts'
import { requireCustomer } from './require-customer.ts'

/** Long enough to get from the merchant's site to the payment page, and too short to be of use in a log. */
const SESSION_MINUTES = 15
/** Lets logs recognize a token. */
const PREFIX = 'csess_'

export interface CustomerSession {
  readonly token: string
  readonly expiresAt: Instant
}

export async function createCustomerSession(
  { db, keyring }: Pick<CustomersContext, 'db' | 'keyring'>,
  { businessId }: Caller,
  uuid: string,
): Promise<CustomerSession> {
  const found = await db.transact(businessId, (tx) => findCustomers(tx, [uuid]))
  requireCustomer(found.get(uuid))
  const expiresAt = realClock.now().add({ minutes: SESSION_MINUTES })
  const token = PREFIX + sessionTokens(keyring).make({ businessId, id: uuid, expiresAt })
  return { token, expiresAt }
}

export function readCustomerSession(
  { keyring }: Pick<CustomersContext, 'keyring'>,
  token: string,
): TokenClaims | null {
  return token.startsWith(PREFIX) ? sessionTokens(keyring).read(token.slice(PREFIX.length)) : null
}

function sessionTokens(keyring: CustomersContext['keyring']): SignedTokens {
  return new SignedTokens(keyring, 'customer sessions')
}

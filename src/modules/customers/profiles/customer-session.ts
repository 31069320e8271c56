import { realClock, toRfc3339 } from '#kernel/clock'
import type { Caller } from '#platform/caller'
import { SignedTokens, type TokenClaims } from '#platform/security/tokens/signed-tokens'
import { errors } from '../api/errors.ts'
import type { CustomersDependencies } from '../dependencies.ts'
import { findCustomers } from '../storage/customer.repository.ts'

/** Long enough to get from the merchant's site to the payment page, and too short to be of use in a log. */
const SESSION_MINUTES = 15
/** Lets logs recognize a token. */
const PREFIX = 'csess_'

export async function createCustomerSession(
  { db, keyring }: Pick<CustomersDependencies, 'db' | 'keyring'>,
  { businessId }: Caller,
  uuid: string,
): Promise<{ customer_session: object }> {
  const found = await db.transact(businessId, (tx) => findCustomers(tx, [uuid]))
  const customer = found.get(uuid)
  if (customer === undefined) throw errors.customer_not_found()
  if (customer.erasedAt !== null) throw errors.customer_erased()
  const expiresAt = realClock.now().add({ minutes: SESSION_MINUTES })
  const token = PREFIX + sessionTokens(keyring).make({ businessId, id: uuid, expiresAt })
  return { customer_session: { token, expires_at: toRfc3339(expiresAt) } }
}

export function readCustomerSession(
  { keyring }: Pick<CustomersDependencies, 'keyring'>,
  token: string,
): TokenClaims | null {
  return token.startsWith(PREFIX) ? sessionTokens(keyring).read(token.slice(PREFIX.length)) : null
}

function sessionTokens(keyring: CustomersDependencies['keyring']): SignedTokens {
  return new SignedTokens(keyring, 'customer sessions')
}

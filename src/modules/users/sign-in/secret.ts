import { randomBytes } from 'node:crypto'
import type { Database } from '#platform/postgres/database'
import type { Keyring, SealBinding } from '#platform/security/keyring'
import type { Rewrap } from '#platform/security/rewrap'
import { findOrStoreSecret, replaceSecret } from '../storage/secret.repository.ts'

const BINDING: SealBinding = { businessId: '', field: 'user_secrets.sign_in' }
const SECRET_BYTES = 32

/**
 * Signs cookies and encrypts second factors. It stays the same when the encryption keys are rotated, so that nobody is signed
 * out by that.
 */
export async function signInSecret(db: Database, keyring: Pick<Keyring, 'seal' | 'open'>): Promise<string> {
  const fresh = keyring.seal(randomBytes(SECRET_BYTES).toString('base64url'), BINDING)
  return keyring.open(await findOrStoreSecret(db.shared, fresh), BINDING)
}

export function rewrapSignInSecret(db: Database, keyring: Pick<Keyring, 'rewrap'>): Rewrap {
  return () => replaceSecret(db.shared, (sealed) => keyring.rewrap(sealed, BINDING))
}

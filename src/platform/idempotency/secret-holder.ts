import type { Caller } from '#platform/caller'
import type { Database, Tx } from '#platform/postgres/database'
import type { Keyring, SealBinding } from '#platform/security/keyring'
import type { Rewrap } from '#platform/security/rewrap'
import { newSigningSecret } from '#platform/security/standard-webhooks'
import { onceShowingSecret } from './shown-secret.ts'

/**
 * An object of which a business has one, with a secret that signs what is sent to its URL.
 * - `holder`: As in `WithSecret`.
 */
export interface SecretHolder {
  readonly holder: string
  readonly bindingOf: (businessId: string) => SealBinding
  readonly read: (db: Database, businessId: string) => Promise<string | undefined>
  readonly replace: (tx: Tx, from: string, to: string) => Promise<number>
}

/**
 * Creates or changes the object. The first time creates the secret and shows it; a change keeps it.
 * @param save gets a secret for the first time, and returns what is stored then
 */
export function putWithSecret<Stored extends { readonly sealedSecret: string }>(
  { db, keyring }: { readonly db: Database; readonly keyring: Pick<Keyring, 'open' | 'seal'> },
  caller: Caller,
  { holder, bindingOf, read }: SecretHolder,
  save: (tx: Tx, sealedSecret: string) => Promise<Stored | undefined>,
): Promise<Stored & { readonly secret?: string | undefined }> {
  const binding = bindingOf(caller.businessId)
  const currentSecret = async () => {
    const sealed = await read(db, caller.businessId)
    return sealed === undefined ? '' : keyring.open(sealed, binding)
  }
  return onceShowingSecret(db, caller, currentSecret, async (tx) => {
    const secret = newSigningSecret()
    const sealedSecret = keyring.seal(secret, binding)
    const saved = await save(tx, sealedSecret)
    if (saved === undefined) throw new Error(`the ${holder} was not saved`)
    return {
      holder,
      secret: saved.sealedSecret === sealedSecret ? secret : undefined,
      value: (shown) => ({ ...saved, secret: shown }),
    }
  })
}

export function rewrapSecret({
  bindingOf,
  read,
  replace,
}: SecretHolder): (db: Database, keyring: Pick<Keyring, 'rewrap'>) => Rewrap {
  return (db, keyring) => async (businessId) => {
    const sealed = await read(db, businessId)
    if (sealed === undefined) return 0
    const rewrapped = keyring.rewrap(sealed, bindingOf(businessId))
    if (rewrapped === sealed) return 0
    return db.transact(businessId, (tx) => replace(tx, sealed, rewrapped))
  }
}

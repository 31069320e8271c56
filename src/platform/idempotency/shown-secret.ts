import type { Caller } from '#platform/caller'
import type { Database, TransactOptions, Tx } from '#platform/postgres/database'
import { StoredReply } from '#platform/idempotency/stored-reply'
import { claimIdempotencyKey, keepReply } from '#platform/idempotency/idempotency'

export interface WithSecret<Value> {
  /** The id of the object that has the secret, in lower-case letters, digits and `_`. */
  readonly holder: string
  readonly secret: string | undefined
  readonly value: (secret: string | undefined) => Value
}

const PLACEHOLDER = /"secret":"sealed:([a-z0-9_]+)"/

/**
 * Like `once`, for a reply that shows a secret. Because no secret is stored in the clear, the stored reply names the holder
 * instead; a replay shows the holder's current secret.
 * @param secretOf reads the holder's current secret; '' when there is none any more
 */
export async function onceShowingSecret<Value>(
  db: Database,
  caller: Caller,
  secretOf: (holder: string) => Promise<string>,
  work: (tx: Tx) => Promise<WithSecret<Value>>,
  options?: TransactOptions,
): Promise<Value> {
  const claimAndWork = async (tx: Tx): Promise<Value> => {
    const key = await claimIdempotencyKey(tx, caller)
    const { holder, secret, value } = await work(tx)
    await keepReply(tx, key, caller, value(secret === undefined ? undefined : `sealed:${holder}`))
    return value(secret)
  }
  try {
    return await db.transact(caller.businessId, claimAndWork, options)
  } catch (error) {
    throw error instanceof StoredReply ? await withCurrentSecret(error, secretOf) : error
  }
}

async function withCurrentSecret(
  { status, body }: StoredReply,
  secretOf: (holder: string) => Promise<string>,
): Promise<StoredReply> {
  const holder = PLACEHOLDER.exec(body)?.[1]
  if (holder === undefined) return new StoredReply(status, body)
  const secret = await secretOf(holder)
  return new StoredReply(
    status,
    body.replace(PLACEHOLDER, () => `"secret":${JSON.stringify(secret)}`),
  )
}

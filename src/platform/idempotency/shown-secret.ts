import type { Caller } from '#platform/caller'
import type { Database, TransactOptions, Tx } from '#platform/postgres/database'
import { successEnvelope } from '#platform/envelope'
import { StoredReply } from '#platform/idempotency/stored-reply'
import { claimIdempotencyKey, storeReply } from '#platform/idempotency/idempotency'

export interface WithSecret<Data extends object> {
  /** The id of the object that has the secret, in lower-case letters, digits and `_`. */
  readonly holder: string
  readonly secret: string | undefined
  readonly render: (secret: string | undefined) => Data
}

const PLACEHOLDER = /"secret":"sealed:([a-z0-9_]+)"/

/**
 * Like `once`, for a reply that shows a secret. Because no secret is stored in the clear, the stored reply names the holder
 * instead; a replay shows the holder's current secret.
 * @param secretOf reads the holder's current secret; '' when there is none any more
 */
export async function onceShowingSecret<Data extends object>(
  db: Database,
  caller: Caller,
  secretOf: (holder: string) => Promise<string>,
  work: (tx: Tx) => Promise<WithSecret<Data>>,
  options?: TransactOptions,
): Promise<Data> {
  const claimAndWork = async (tx: Tx): Promise<Data> => {
    const key = await claimIdempotencyKey(tx, caller)
    const { holder, secret, render } = await work(tx)
    const stored = render(secret === undefined ? undefined : `sealed:${holder}`)
    await storeReply(tx, key, 200, successEnvelope(stored))
    return render(secret)
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

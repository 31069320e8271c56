import type { Caller } from '#platform/caller'
import type { Database, Tx } from '#platform/postgres/database'
import { successEnvelope } from '#platform/http/routes/envelope'
import { ReplayedReply } from '#platform/http/routes/replayed-reply'
import { claimIdempotencyKey, keepAnswer } from '#platform/idempotency/idempotency'

/** What a use case answers that shows a secret. */
export interface WithSecret<Data extends object> {
  /** Whose secret it is: small letters, digits and `_`. */
  readonly holder: string
  /** Undefined when there is none to show. */
  readonly secret: string | undefined
  /** The answer, with what is given as its member `secret`. */
  readonly render: (secret: string | undefined) => Data
}

/** In a kept answer, where the secret stood. */
const PLACE = /"secret":"sealed:([a-z0-9_]+)"/

/**
 * Runs a use case that is one transaction, as `once` does. The kept answer of an `Idempotency-Key` names the holder in the
 * secret's place, since a secret is nowhere stored in the clear; when it is given again, the holder's secret of now is put in.
 * @param secretOf the holder's secret of now; '' when it has none any more
 */
export async function onceShowingSecret<Data extends object>(
  db: Database,
  caller: Caller,
  secretOf: (holder: string) => Promise<string>,
  work: (tx: Tx) => Promise<WithSecret<Data>>,
): Promise<Data> {
  try {
    return await db.transact(caller.businessId, async (tx) => {
      const key = await claimIdempotencyKey(tx, caller)
      const { holder, secret, render } = await work(tx)
      const kept = render(secret === undefined ? undefined : `sealed:${holder}`)
      await keepAnswer(tx, key, 200, successEnvelope(kept))
      return render(secret)
    })
  } catch (error) {
    throw error instanceof ReplayedReply ? await withSecret(error, secretOf) : error
  }
}

async function withSecret(
  { status, body }: ReplayedReply,
  secretOf: (holder: string) => Promise<string>,
): Promise<ReplayedReply> {
  const holder = PLACE.exec(body)?.[1]
  if (holder === undefined) return new ReplayedReply(status, body)
  const secret = await secretOf(holder)
  return new ReplayedReply(
    status,
    body.replace(PLACE, () => `"secret":${JSON.stringify(secret)}`),
  )
}

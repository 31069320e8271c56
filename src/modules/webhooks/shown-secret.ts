import type { Caller } from '#platform/caller'
import type { Tx } from '#platform/database'
import { successEnvelope } from '#platform/http/envelope'
import { ReplayedAnswer } from '#platform/http/replayed-answer'
import { claimIdempotencyKey, keepAnswer } from '#platform/idempotency'
import { type Endpoint, renderEndpoint, secretBinding } from './endpoint.ts'
import { findSealedSecret } from './endpoint.repository.ts'
import type { WebhooksNeeds } from './needs.ts'

/** In a kept answer, where the secret stood. */
const PLACE = /"secret":"sealed:([a-z0-9_]+)"/

/**
 * Runs a use case whose answer shows a secret. The kept answer of an `Idempotency-Key` names the
 * endpoint in the secret's place, since a secret is nowhere stored in the clear; when it is given
 * again, the endpoint's secret of then is put in.
 */
export async function showingSecret(
  needs: WebhooksNeeds,
  caller: Caller,
  work: (tx: Tx) => Promise<{ endpoint: Endpoint; secret: string }>,
): Promise<{ endpoint: object }> {
  try {
    return await needs.db.transact(caller.businessId, async (tx) => {
      const key = await claimIdempotencyKey(tx, caller)
      const { endpoint, secret } = await work(tx)
      const shown = renderEndpoint(endpoint)
      const kept = { endpoint: { ...shown, secret: `sealed:${endpoint.id}` } }
      if (key !== null) await keepAnswer(tx, key, 200, successEnvelope(kept))
      return { endpoint: { ...shown, secret } }
    })
  } catch (error) {
    throw error instanceof ReplayedAnswer ? await withSecret(needs, caller.businessId, error) : error
  }
}

async function withSecret(
  needs: WebhooksNeeds,
  businessId: string,
  replayed: ReplayedAnswer,
): Promise<ReplayedAnswer> {
  const id = PLACE.exec(replayed.body)?.[1]
  if (id === undefined) return replayed
  const sealed = await findSealedSecret(needs.db, businessId, id)
  const secret = sealed === undefined ? '' : needs.keyring.open(sealed, secretBinding(businessId, id))
  return new ReplayedAnswer(
    replayed.status,
    replayed.body.replace(PLACE, () => `"secret":${JSON.stringify(secret)}`),
  )
}

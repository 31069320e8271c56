import type { Caller } from '#platform/caller'
import type { Tx } from '#platform/postgres/database'
import { onceShowingSecret } from '#platform/idempotency/shown-secret'
import { type Endpoint, secretBinding } from '../model/endpoint.ts'
import { findSealedSecret } from '../storage/endpoint.repository.ts'
import type { WebhooksContext } from '../context.ts'

export interface ShownEndpoint {
  readonly endpoint: Endpoint
  readonly secret: string
}

/** Runs a use case whose response shows an endpoint's secret. A replayed response shows the current secret. */
export function respondWithSecret(
  ctx: WebhooksContext,
  caller: Caller,
  useCase: (tx: Tx) => Promise<ShownEndpoint>,
): Promise<ShownEndpoint> {
  const { businessId } = caller
  const secretOf = async (id: string): Promise<string> => {
    const sealed = await findSealedSecret(ctx.db, businessId, id)
    return sealed === undefined ? '' : ctx.keyring.open(sealed, secretBinding(businessId, id))
  }
  return onceShowingSecret(ctx.db, caller, secretOf, async (tx) => {
    const { endpoint, secret } = await useCase(tx)
    return {
      holder: endpoint.id,
      secret,
      value: (shown = secret) => ({ endpoint, secret: shown }),
    }
  })
}

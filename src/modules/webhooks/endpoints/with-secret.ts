import type { Caller } from '#platform/caller'
import type { Tx } from '#platform/postgres/database'
import { onceShowingSecret } from '#platform/idempotency/shown-secret'
import { type Endpoint, renderEndpoint, secretBinding } from './endpoint.ts'
import { findSealedSecret } from '../storage/endpoint.repository.ts'
import type { WebhooksDependencies } from '../dependencies.ts'

/** Runs a use case whose response shows an endpoint's secret. A replayed response shows the current secret. */
export function respondWithSecret(
  deps: WebhooksDependencies,
  caller: Caller,
  useCase: (tx: Tx) => Promise<{ endpoint: Endpoint; secret: string }>,
): Promise<{ endpoint: object }> {
  const { businessId } = caller
  const secretOf = async (id: string): Promise<string> => {
    const sealed = await findSealedSecret(deps.db, businessId, id)
    return sealed === undefined ? '' : deps.keyring.open(sealed, secretBinding(businessId, id))
  }
  return onceShowingSecret(deps.db, caller, secretOf, async (tx) => {
    const { endpoint, secret } = await useCase(tx)
    return {
      holder: endpoint.id,
      secret,
      value: (shown) => ({ endpoint: { ...renderEndpoint(endpoint), secret: shown } }),
    }
  })
}

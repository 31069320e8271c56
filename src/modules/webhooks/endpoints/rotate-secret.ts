import { realClock } from '#kernel/clock'
import type { Caller } from '#platform/caller'
import { newSigningSecret, ROTATION_HOURS } from '#platform/security/standard-webhooks'
import { secretBinding } from './endpoint.ts'
import { replaceSecret } from '../storage/endpoint.repository.ts'
import { errors } from '../api/errors.ts'
import type { WebhooksDependencies } from '../dependencies.ts'
import { showingSecret } from './shown-secret.ts'

/**
 * Gives an endpoint a new secret. The one until now goes on signing beside it for 24 hours, or until
 * the next rotation, so that a receiver can change over without refusing anything. Throws 404.
 */
export function rotateSecret(
  deps: WebhooksDependencies,
  caller: Caller,
  endpointId: string,
): Promise<{ endpoint: object }> {
  return showingSecret(deps, caller, async (tx) => {
    const secret = newSigningSecret()
    const sealed = deps.keyring.seal(secret, secretBinding(tx.businessId, endpointId))
    const previousUntil = realClock.now().add({ hours: ROTATION_HOURS })
    const endpoint = await replaceSecret(tx, endpointId, sealed, previousUntil)
    if (endpoint === undefined) throw errors.endpoint_not_found()
    return { endpoint, secret }
  })
}

import { realClock } from '#kernel/clock'
import type { Caller } from '#platform/caller'
import { newSigningSecret, ROTATION_HOURS } from '#platform/security/standard-webhooks'
import { secretBinding } from '../model/endpoint.ts'
import { replaceSecret } from '../storage/endpoint.repository.ts'
import { errors } from '../errors.ts'
import type { WebhooksContext } from '../context.ts'
import { respondWithSecret, type ShownEndpoint } from './with-secret.ts'

/**
 * Gives an endpoint a new secret. The previous one also signs for 24 hours or until the next rotation.
 * @throws 404 `endpoint_not_found`
 */
export function rotateSecret(
  ctx: WebhooksContext,
  caller: Caller,
  endpointId: string,
): Promise<ShownEndpoint> {
  return respondWithSecret(ctx, caller, async (tx) => {
    const secret = newSigningSecret()
    const sealed = ctx.keyring.seal(secret, secretBinding(tx.businessId, endpointId))
    const previousUntil = realClock.now().add({ hours: ROTATION_HOURS })
    const endpoint = await replaceSecret(tx, endpointId, sealed, previousUntil)
    if (endpoint === undefined) throw errors.endpoint_not_found()
    return { endpoint, secret }
  })
}

import { newId } from '#kernel/ids'
import type { Caller } from '#platform/caller'
import { newSigningSecret } from '#platform/security/standard-webhooks'
import { MAX_ENDPOINTS, secretBinding } from './endpoint.ts'
import { insertEndpoint } from '../storage/endpoint.repository.ts'
import { errors } from '../errors.ts'
import type { WebhooksContext } from '../context.ts'
import type { EventType } from '../event-types.ts'
import { respondWithSecret, type ShownEndpoint } from './with-secret.ts'

/**
 * Registers an endpoint for future events. Its secret is shown only here and after a rotation.
 * @throws 422 `url_not_allowed`, `too_many_endpoints`
 */
export function createEndpoint(
  ctx: WebhooksContext,
  caller: Caller,
  request: { readonly url: string; readonly types?: readonly EventType[] | undefined },
): Promise<ShownEndpoint> {
  return respondWithSecret(ctx, caller, async (tx) => {
    const problem = ctx.egress.checkUrl(request.url)
    if (problem !== undefined) {
      throw errors.url_not_allowed({ param: 'endpoint.url', message: `endpoint.url ${problem}.` })
    }
    const secret = newSigningSecret()
    const endpoint = {
      id: newId('whe'),
      url: request.url,
      types: [...new Set(request.types)],
      state: 'active' as const,
      createdAt: tx.now,
    }
    const sealedSecret = ctx.keyring.seal(secret, secretBinding(tx.businessId, endpoint.id))
    if (!(await insertEndpoint(tx, { ...endpoint, sealedSecret }, MAX_ENDPOINTS))) {
      throw errors.too_many_endpoints()
    }
    return { endpoint, secret }
  })
}

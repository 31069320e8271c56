import { newId } from '#kernel/ids'
import type { Caller } from '#platform/caller'
import { newSigningSecret } from '#platform/security/standard-webhooks'
import { MAX_ENDPOINTS, secretBinding } from './endpoint.ts'
import { insertEndpoint } from '../storage/endpoint.repository.ts'
import { errors } from '../api/errors.ts'
import type { WebhooksDependencies } from '../dependencies.ts'
import { respondWithSecret } from './with-secret.ts'

/**
 * Registers an endpoint for future events. Its secret is shown only here and after a rotation.
 * @throws 422 `url_not_allowed`, `too_many_endpoints`
 */
export function createEndpoint(
  deps: WebhooksDependencies,
  caller: Caller,
  request: { readonly url: string; readonly types?: readonly string[] | undefined },
): Promise<{ endpoint: object }> {
  return respondWithSecret(deps, caller, async (tx) => {
    const problem = deps.egress.checkUrl(request.url)
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
    const sealedSecret = deps.keyring.seal(secret, secretBinding(tx.businessId, endpoint.id))
    if (!(await insertEndpoint(tx, { ...endpoint, sealedSecret }, MAX_ENDPOINTS))) {
      throw errors.too_many_endpoints()
    }
    return { endpoint, secret }
  })
}

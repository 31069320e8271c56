import { newId } from '#kernel/ids'
import type { Caller } from '#platform/caller'
import type { Tx } from '#platform/postgres/database'
import { newSigningSecret } from '#platform/security/standard-webhooks'
import { MAX_ENDPOINTS, secretBinding } from '../model/endpoint.ts'
import { activeEndpoints, insertEndpoint, lockRegistration } from '../storage/endpoint.repository.ts'
import { errors } from '../errors.ts'
import type { WebhooksContext } from '../context.ts'
import type { EventType } from '../model/event-types.ts'
import { respondWithSecret, type ShownEndpoint } from './with-secret.ts'

/**
 * Registers an endpoint for future events. Its secret is shown only here and after a rotation.
 * @throws 409 `endpoint_exists`, 422 `url_not_allowed`, `too_many_endpoints`
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
    await lockRegistration(tx)
    await refuseSecondOf(tx, request.url, request.types ?? [])
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

/** Two endpoints of one URL that take the same events would get each of them twice. */
async function refuseSecondOf(tx: Tx, url: string, types: readonly EventType[]): Promise<void> {
  const requested = requestedUrl(url)
  const existing = (await activeEndpoints(tx)).find(
    (endpoint) => requestedUrl(endpoint.url) === requested && takeSameEvents(endpoint.types, types),
  )
  if (existing === undefined) return
  throw errors.endpoint_exists({
    param: 'endpoint.url',
    message: `Endpoint ${existing.id} is active and sends these events to this URL already.`,
    data: { endpoint: { id: existing.id } },
  })
}

/** No types mean all. */
function takeSameEvents(some: readonly EventType[], others: readonly EventType[]): boolean {
  return some.length === 0 || others.length === 0 || some.some((type) => others.includes(type))
}

/** URLs that differ only in how they are written, or in a fragment, which is never sent, are one. */
function requestedUrl(text: string): string {
  const url = new URL(text)
  url.hash = ''
  return url.href
}

import { type Instant, toRfc3339 } from '#kernel/clock'
import type { SealBinding } from '#platform/security/keyring'

/** Where a business wants its events. */
export interface Endpoint {
  readonly id: string
  readonly url: string
  /** Empty: all. */
  readonly types: readonly string[]
  /** `disabled`: the receiver answered 410. */
  readonly state: 'active' | 'disabled'
  readonly createdAt: Instant
}

/** How many a business may have: every event is matched against all of them. */
export const MAX_ENDPOINTS = 100

/** As answers show it (decisions, section 11). `secret` is added at creation and rotation only. */
export function renderEndpoint(endpoint: Endpoint): object {
  return {
    id: endpoint.id,
    url: endpoint.url,
    types: endpoint.types,
    state: endpoint.state,
    created_at: toRfc3339(endpoint.createdAt),
  }
}

/** Bound to the endpoint too, so that a sealed secret moved to another row does not open. */
export function secretBinding(businessId: string, endpointId: string): SealBinding {
  return { businessId, field: `webhook_endpoints.secret ${endpointId}` }
}

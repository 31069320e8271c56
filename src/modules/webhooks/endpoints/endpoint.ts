import { type Instant, toRfc3339 } from '#kernel/clock'
import type { SealBinding } from '#platform/security/keyring'

export const ENDPOINT_STATES = ['active', 'disabled'] as const

export interface Endpoint {
  readonly id: string
  readonly url: string
  readonly types: readonly string[]
  readonly state: (typeof ENDPOINT_STATES)[number]
  readonly createdAt: Instant
}

export const MAX_ENDPOINTS = 100

export function renderEndpoint(endpoint: Endpoint): object {
  return {
    id: endpoint.id,
    url: endpoint.url,
    types: endpoint.types,
    state: endpoint.state,
    created_at: toRfc3339(endpoint.createdAt),
  }
}

/** The binding includes the endpoint, so that a sealed secret that is moved to another row does not open. */
export function secretBinding(businessId: string, endpointId: string): SealBinding {
  return { businessId, field: `webhook_endpoints.secret ${endpointId}` }
}

import type { Instant } from '#kernel/clock'
import type { SealBinding } from '#platform/security/keyring'
import type { EventType } from './event-types.ts'

export const ENDPOINT_STATES = ['active', 'disabled'] as const

export interface Endpoint {
  readonly id: string
  readonly url: string
  readonly types: readonly EventType[]
  readonly state: (typeof ENDPOINT_STATES)[number]
  readonly createdAt: Instant
}

/** The bound of reference/events#endpoints. */
export const MAX_ENDPOINTS = 100

/** The binding includes the endpoint, so that a sealed secret that is moved to another row does not open. */
export function secretBinding(businessId: string, endpointId: string): SealBinding {
  return { businessId, field: `webhook_endpoints.secret ${endpointId}` }
}

/** Who sends a request, and in which tenant. The API key determines both. */
export interface Caller {
  /** The tenant: one environment of a business (reference/access#tenants). */
  readonly businessId: string
  readonly businessCode: string
  readonly environment: Environment
  readonly appId: string
  readonly requestId: string
  readonly idempotency?: IdempotencyRequest
}

export type Environment = 'test' | 'live'

export interface IdempotencyRequest {
  readonly key: string
  readonly endpoint: string
  /** A keyed hash of path, query and body. It shows when a key is reused for another request. */
  readonly fingerprint: string
  /** The same hash under older encryption keys, for replies stored before a rotation. */
  readonly olderFingerprints?: readonly string[]
}

/** Who is calling: made by the front door from the API key, passed to every use case. */
export interface Caller {
  /** The tenant: one environment of a business (decisions, section 2). */
  readonly businessId: string
  readonly businessCode: string
  readonly environment: Environment
  readonly appId: string
  readonly requestId: string
  /** Present when the caller sent `Idempotency-Key` on a request that changes something. */
  readonly idempotency?: IdempotencyRequest
}

export type Environment = 'test' | 'live'

export interface IdempotencyRequest {
  readonly key: string
  /** Method and route pattern: keys are per app and endpoint. */
  readonly endpoint: string
  /** Of the path, the query and the body, so that the same key with another request is found out. */
  readonly fingerprint: string
  /** The same under older encryption keys: what may have been kept before a rotation. */
  readonly olderFingerprints?: readonly string[]
}

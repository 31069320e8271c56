export interface Caller {
  /** The tenant: one environment of a business (reference/access#tenants). */
  readonly businessId: string
  readonly businessCode: string
  readonly environment: Environment
  readonly appId: string
  readonly actor: Actor
  readonly scopes?: ReadonlySet<string>
  readonly requestId: string
  readonly idempotency?: IdempotencyRequest
}

/**
 * Who acts. `payer` is somebody who holds only a link, `portal` a customer in the customer portal. `id` is the id of the key, of the
 * user or of the customer, or the name of the account at the operating system that runs the command line.
 */
export interface Actor {
  readonly type: 'api_key' | 'user' | 'command_line' | 'payer' | 'portal'
  readonly id: string
}

/** How events name who acts. The id of a customer needs a prefix, because events of others name customers, too. */
export function actorName({ type, id }: Actor): string {
  return type === 'portal' ? `portal:${id}` : id
}

export type Environment = 'test' | 'live'

/** `data` of a response, or the file of a route that returns one. */
export type Rendered = object

export type Render = (value: unknown) => Rendered

/**
 * - `fingerprint`: A keyed hash of path, query and body. It shows when a key is reused for another request.
 * - `olderFingerprints`: The same hash under older encryption keys, for replies stored before a rotation.
 * - `render`: Renders the reply that is kept for repeats, as the route renders the first. Without it, the result is kept as it is.
 */
export interface IdempotencyRequest {
  readonly key: string
  readonly endpoint: string
  readonly fingerprint: string
  readonly olderFingerprints?: readonly string[]
  readonly render?: Render
}

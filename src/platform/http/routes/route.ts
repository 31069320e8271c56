import type { Static, TObject, TSchema } from 'typebox'
import type { Caller } from '#platform/caller'

/**
 * A route is schema, one call, map out. Modules declare routes as values; the server registers
 * them, `openapi.json`, the tenant test and the bad-input test are generated from them.
 */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** With parameters as `:id`. */
  readonly path: string
  /** What the key must be allowed to do. The scope follows the effect, not the method; `:write` includes `:read`. */
  readonly scope: Scope
  /** Whether `Idempotency-Key` is honoured. Default: on POST and PUT of a `:write` scope. */
  readonly takesIdempotencyKey: boolean
  /** `test` routes (the sandbox's) answer 403 to live keys. */
  readonly environments: 'all' | 'test'
  /** One sentence, the title in the documentation. */
  readonly summary: string
  /** More than the summary can say, as Markdown. */
  readonly description?: string
  /** Group in the documentation. */
  readonly tag: string
  readonly headers?: TObject
  readonly params?: TObject
  readonly query?: TObject
  readonly body?: TObject
  /** A body as callers send it, for the documentation. */
  readonly example?: object
  /** Shape of the envelope's `data` on success. */
  readonly data: TSchema
  /** By status, what stands in `data` beside `error`. */
  readonly failures?: Failures
  readonly handle: (request: RouteRequest) => Promise<object>
}

/** What some errors carry. */
export interface Failure {
  /** In openapi.json, where it stands once. */
  readonly name: string
  /** What not every error of the status carries is optional. */
  readonly data: TObject
}

type Failures = Readonly<Partial<Record<402 | 409 | 502 | 504, Failure>>>

interface RouteRequest {
  readonly caller: Caller
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

const AREAS = ['payments', 'recurring', 'customers', 'cards', 'wallets', 'webhooks', 'admin'] as const
export type Scope = `${(typeof AREAS)[number]}:${'read' | 'write'}`

/** Everything a key may be allowed to do (decisions, section 2). */
export const SCOPES: readonly Scope[] = AREAS.flatMap((area) => [`${area}:read`, `${area}:write`] as const)

interface RouteOptions<P extends TObject, Q extends TObject, B extends TObject, D extends TSchema> {
  readonly method: Route['method']
  readonly path: string
  readonly scope: Scope
  readonly takesIdempotencyKey?: boolean
  readonly environments?: Route['environments']
  readonly summary: string
  readonly description?: string
  readonly tag: string
  readonly headers?: TObject
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  readonly example?: Static<B>
  readonly data: D
  readonly failures?: Failures
  /** Answers `data`, or an `Answer` when the envelope's message is not "succeed". */
  readonly handle: (request: {
    readonly caller: Caller
    readonly params: Static<P>
    readonly query: Static<Q>
    readonly body: Static<B>
  }) => Promise<object>
}

/** Declares a route; gives `handle` the types of its schemas, which the server has checked by then. */
export function defineRoute<
  P extends TObject = TObject<{}>,
  Q extends TObject = TObject<{}>,
  B extends TObject = TObject<{}>,
  D extends TSchema = TSchema,
>(options: RouteOptions<P, Q, B, D>): Route {
  const { method, scope } = options
  const changes = scope.endsWith(':write') && (method === 'POST' || method === 'PUT')
  return {
    ...options,
    takesIdempotencyKey: options.takesIdempotencyKey ?? changes,
    environments: options.environments ?? 'all',
    handle: (request) => options.handle(request as Parameters<typeof options.handle>[0]),
  }
}

/** A success whose envelope says something else than "succeed" (interface, endpoint 7). */
export class HttpReply {
  readonly message: string
  readonly data: object
  constructor(message: string, data: object) {
    this.message = message
    this.data = data
  }
}

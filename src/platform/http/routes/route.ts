import type { Static, TObject, TSchema } from 'typebox'
import type { Caller, Render } from '#platform/caller'
import type { SuccessWithMessage } from '#platform/envelope'
import type { StreamedFile } from '#platform/http/routes/streamed-file'
import type { Priority } from '#platform/request-scope'

/**
 * An API route: schemas, and one call. The server, openapi.json and the tests of tenants and of bad input are generated from
 * the routes.
 * - `scope`: Follows the effect and not the method. `:write` includes `:read`.
 * - `alsoNeeds`: A scope that only some bodies need.
 * - `isOpenToPages`: Pages of any origin may call it, because callers hold a token that no cookie sends.
 * - `contentType`: Of a route that returns a `StreamedFile`; `data` then describes its content.
 */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly scope: Scope
  readonly alsoNeeds?: AlsoNeeds<unknown>
  readonly takesIdempotencyKey: boolean
  readonly environments: 'all' | 'test'
  readonly summary: string
  readonly description?: string
  readonly tag: string
  readonly headers?: TObject
  readonly params?: TObject
  readonly query?: TObject
  readonly body?: TObject
  readonly example?: object
  readonly maxBodyBytes?: number
  readonly contentType?: string
  readonly isOpenToPages?: true
  readonly data: TSchema
  readonly failures?: Failures
  readonly priority: RequestPriority
  readonly handle: (request: RouteRequest) => Promise<unknown>
  readonly render: Render
}

/** - `what`: The member and value that need it, for the documentation. */
interface AlsoNeeds<Body> {
  readonly scope: Scope
  readonly what: string
  readonly when: (body: Body) => boolean
}

export interface Failure {
  readonly name: string
  readonly data: TObject
}

type Failures = Readonly<Partial<Record<402 | 409 | 422 | 502 | 504, Failure>>>

interface RouteRequest {
  readonly caller: Caller
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

const AREAS = [
  'payments',
  'recurring',
  'billing',
  'billing_details',
  'customers',
  'cards',
  'wallets',
  'webhooks',
  'admin',
  'keys',
  'users',
  'privacy',
] as const
const READ_ONLY_AREAS = ['logs', 'reports', 'search'] as const
/** What an API key or a role can have. */
export type GrantableScope =
  | `${(typeof AREAS)[number]}:${'read' | 'write'}`
  | `${(typeof READ_ONLY_AREAS)[number]}:read`

/** Scopes of `portal` belong to sessions of the customer portal, one for each thing that the business lets customers do. */
export type Scope = GrantableScope | `portal:${'read' | 'write'}` | `portal:${string}:${'read' | 'write'}`

export const SCOPES: readonly GrantableScope[] = [
  ...AREAS.flatMap((area) => [`${area}:read`, `${area}:write`] as const),
  ...READ_ONLY_AREAS.map((area) => `${area}:read` as const),
]

type RequestPriority = Exclude<Priority, 'background'>

interface RouteOptions<P extends TObject, Q extends TObject, B extends TObject, D extends TSchema, Value> {
  readonly method: Route['method']
  readonly path: string
  readonly scope: Scope
  readonly alsoNeeds?: AlsoNeeds<Static<B>>
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
  readonly maxBodyBytes?: number
  readonly contentType?: string
  readonly isOpenToPages?: true
  readonly data: D
  readonly failures?: Failures
  readonly priority?: RequestPriority
  readonly handle: (request: {
    readonly caller: Caller
    readonly params: Static<P>
    readonly query: Static<Q>
    readonly body: Static<B>
  }) => Promise<Value>
}

type Rendered<D extends TSchema> = Static<D> | SuccessWithMessage<Static<D>> | StreamedFile

interface Rendering<D extends TSchema, Value> {
  readonly render: (value: Value) => Rendered<D>
}

export function defineRoute<
  Value,
  P extends TObject = TObject<{}>,
  Q extends TObject = TObject<{}>,
  B extends TObject = TObject<{}>,
  D extends TSchema = TSchema,
>(options: RouteOptions<P, Q, B, D, Value> & Rendering<D, Value>): Route
export function defineRoute<
  P extends TObject = TObject<{}>,
  Q extends TObject = TObject<{}>,
  B extends TObject = TObject<{}>,
  D extends TSchema = TSchema,
>(options: RouteOptions<P, Q, B, D, Rendered<D>>): Route
export function defineRoute<
  Value,
  P extends TObject,
  Q extends TObject,
  B extends TObject,
  D extends TSchema,
>(options: RouteOptions<P, Q, B, D, Value> & Partial<Rendering<D, Value>>): Route {
  const { method, scope, alsoNeeds, ...rest } = options
  const changes = scope.endsWith(':write') && (method === 'POST' || method === 'PUT')
  return {
    ...rest,
    method,
    scope,
    ...(alsoNeeds !== undefined && {
      alsoNeeds: { ...alsoNeeds, when: (body) => alsoNeeds.when(body as Static<B>) },
    }),
    takesIdempotencyKey: options.takesIdempotencyKey ?? changes,
    environments: options.environments ?? 'all',
    priority: options.priority ?? usualPriority(options),
    handle: (request) => options.handle(request as Parameters<typeof options.handle>[0]),
    render: (value) => (options.render === undefined ? value : options.render(value as Value)) as object,
  }
}

function usualPriority({
  method,
  scope,
  query,
  contentType,
}: Pick<Route, 'method' | 'scope' | 'query' | 'contentType'>): RequestPriority {
  const isList = method === 'GET' && query !== undefined
  const isReport = READ_ONLY_AREAS.some((area) => scope === `${area}:read`)
  return isList || isReport || contentType !== undefined ? 'low' : 'standard'
}

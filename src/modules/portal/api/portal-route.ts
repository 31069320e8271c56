import type { Static, TObject, TSchema } from 'typebox'
import { defineRoute, type Failure, type Route } from '#platform/http/routes/route'
import { StreamedFile } from '#platform/http/routes/streamed-file'
import type { PortalContext, Visitor } from '../context.ts'
import { type Permission, scopeOf } from '../model/allow.ts'
import { shownToCustomer } from '../model/customer-view.ts'
import { visitorOf } from '../sessions/visitor.ts'
import { errorForCustomer } from './render.ts'

const BASE = '/svc/portal/api/v1/openapi'
const TAG = 'Customer portal'

interface Operation<P extends TObject, Q extends TObject, B extends TObject, Value> {
  readonly method: Route['method']
  readonly path: string
  readonly permission?: Permission
  readonly reads?: true
  readonly summary: string
  readonly description?: string
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  readonly example?: Static<B>
  readonly contentType?: string
  readonly data: TSchema
  readonly failures?: Readonly<Partial<Record<402 | 409 | 502 | 504, Failure>>>
  readonly handle: (
    visitor: Visitor,
    request: { readonly params: Static<P>; readonly query: Static<Q>; readonly body: Static<B> },
  ) => Promise<Value>
  readonly render: (value: Value) => object
}

/**
 * An operation that a customer calls with the token of a session. What the business does not allow is refused first. Responses
 * are those of the business's own operations, without its own members.
 */
export function portalRoute<
  Value,
  P extends TObject = TObject<{}>,
  Q extends TObject = TObject<{}>,
  B extends TObject = TObject<{}>,
>(ctx: PortalContext, operation: Operation<P, Q, B, Value>): Route {
  const { path, permission, reads, handle, render, ...options } = operation
  const isRead = options.method === 'GET' || reads === true
  const access = isRead ? 'read' : 'write'
  return defineRoute<Value, P, Q, B>({
    ...options,
    path: `${BASE}${path}`,
    scope: permission === undefined ? `portal:${access}` : scopeOf(permission, access),
    takesIdempotencyKey: !isRead && options.method !== 'DELETE',
    tag: TAG,
    isOpenToPages: true,
    priority: 'standard',
    handle: async ({ caller, ...request }) => {
      const visitor = await visitorOf(ctx, caller, permission)
      return handle(visitor, request).catch((error: unknown) => {
        throw errorForCustomer(error)
      })
    },
    render: (value) => {
      const data = rendered(render, value)
      return data instanceof StreamedFile ? data : shownToCustomer(data)
    },
  })
}

/** Rendering throws the failure of a payment. */
function rendered<Value>(render: (value: Value) => object, value: Value): object {
  try {
    return render(value)
  } catch (error) {
    throw errorForCustomer(error)
  }
}

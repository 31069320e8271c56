import type { FastifyRequest } from 'fastify'
import { parseJson } from '#kernel/json'
import type { Caller, Rendered } from '#platform/caller'
import { holdsScope } from '#platform/http/authorization'
import { idempotencyOf } from '#platform/http/routes/idempotency-key'
import type { Route } from '#platform/http/routes/route'
import { StreamedFile } from '#platform/http/routes/streamed-file'
import type { AuditWrite, WriteAudit } from '#platform/http/routes/write-audit'
import { compileValidation, type RouteValidation } from '#platform/http/validation/validation'
import { StoredReply } from '#platform/idempotency/stored-reply'
import type { RingKey } from '#platform/security/keyring'
import { errors } from '../errors.ts'
import type { ResponseOf } from './responses.ts'

interface Operation {
  readonly route: Route
  readonly validation: RouteValidation
  readonly audit: AuditWrite | undefined
}

/** - `attempt`: The key of the form, so that a form that is sent twice acts once. */
export interface OperationInput {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
  readonly attempt?: string | undefined
}

type PageRequest = Pick<FastifyRequest, 'ip' | 'headers'>

export type Operations = ReturnType<typeof operationsOf>

/**
 * The operations of the API as the pages call them, in this process: with the same checks, audit entries and idempotency keys
 * as when a page of the merchant calls them.
 */
export function operationsOf(routes: readonly Route[], audit: WriteAudit, keys: () => readonly RingKey[]) {
  const byName = new Map(
    routes.map((route): [string, Operation] => [
      `${route.method} ${route.path.slice(route.path.indexOf('/openapi') + '/openapi'.length)}`,
      { route, validation: compileValidation(route), audit: audit.compile(route, routes) },
    ]),
  )
  const perform = async (
    caller: Caller,
    request: PageRequest,
    name: string,
    { params = {}, query = {}, body, attempt }: OperationInput,
  ): Promise<Rendered> => {
    const operation = byName.get(name)
    if (operation === undefined) throw new Error(`the portal has no operation ${name}`)
    const { route, validation, audit: audited } = operation
    if (!holdsScope(caller.scopes ?? new Set(), route.scope)) throw errors.portal_not_allowed()
    const rawBody = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
    const read = validation.body(rawBody)
    const endpoint = `${route.method} ${route.path}`
    const key =
      attempt === undefined || !route.takesIdempotencyKey
        ? undefined
        : {
            ...idempotencyOf(attempt, endpoint, Object.values(params).join('/'), read, keys()),
            render: route.render,
          }
    const asked = { ...caller, ...(key && { idempotency: key }) }
    const handle = async () => route.render(await route.handle({ caller: asked, params, query, body: read }))
    if (audited === undefined) return handle()
    const userAgent = request.headers['user-agent']
    return audited({ caller: asked, params, rawBody, body: read, ipAddress: request.ip, userAgent }, handle)
  }
  return {
    /** Returns `data` of the response, also of one that was given before. */
    read: async <Name extends string>(
      caller: Caller,
      request: PageRequest,
      name: Name,
      input: OperationInput,
    ): Promise<ResponseOf<Name>> => {
      const rendered = await perform(caller, request, name, input).catch(responseGivenBefore)
      return parseJson(JSON.stringify(rendered)) as ResponseOf<Name>
    },
    file: async (...args: Parameters<typeof perform>): Promise<StreamedFile> => {
      const file = await perform(...args)
      if (!(file instanceof StreamedFile)) throw new Error('the operation returns no file')
      return file
    },
  }
}

function responseGivenBefore(error: unknown): Rendered {
  if (!(error instanceof StoredReply) || error.status !== 200) throw error
  return (parseJson(error.body) as { data: Rendered }).data
}

import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { RequestError } from '#kernel/errors'
import { actorName, type Caller, type Render } from '#platform/caller'
import {
  type Authenticate,
  compileAuthorization,
  type Principal,
  requireScope,
} from '#platform/http/authorization'
import { successEnvelope } from '#platform/envelope'
import { platformErrors } from '#platform/errors'
import { acceptsCsv, csvFile, listShapeOf, refuseColumns } from '#platform/http/routes/csv'
import { idempotencyOf } from '#platform/http/routes/idempotency-key'
import { inRequestSpan } from '#platform/http/routes/request-span'
import type { CountRequest, LimitApp } from '#platform/http/rate-limit'
import type { RequestContext, Responder } from '#platform/http/routes/responder'
import type { Route } from '#platform/http/routes/route'
import type { AttemptedWrite, AuditWrite } from '#platform/http/routes/write-audit'
import { StreamedFile } from '#platform/http/routes/streamed-file'
import { compileValidation, MAX_BODY_BYTES } from '#platform/http/validation/validation'
import { inRequest, type Staleness, withStaleness, nameActor } from '#platform/request-scope'
import type { RingKey } from '#platform/security/keyring'

interface Dependencies {
  readonly authenticate: Authenticate
  readonly limitApp: LimitApp | undefined
  readonly countWrongKey: CountRequest
  readonly fingerprintKeys: () => readonly RingKey[]
  readonly responder: Responder
  readonly audit?: AuditWrite | undefined
}

/** - `admitBody`: Refuses strangers before a large body is read. */
interface ServedRoute {
  readonly serve: (request: FastifyRequest, reply: FastifyReply) => void
  readonly admitBody: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>
}

export function compileRoute(route: Route, deps: Dependencies): ServedRoute {
  const { authenticate, limitApp, countWrongKey, fingerprintKeys, responder, audit } = deps
  const admit = compileAuthorization(route)
  const validation = compileValidation(route)
  const isWrite = route.scope.endsWith(':write') && route.method !== 'GET'
  const list = listShapeOf(route)
  const maxBodyBytes = route.maxBodyBytes ?? MAX_BODY_BYTES
  const endpoint = `${route.method} ${route.path}`
  // The body of a GET has no meaning (RFC 9110, section 9.3.1).
  const takesBody = route.method !== 'GET'
  const mayReadReplica = !takesBody && (list !== undefined || /^(?:reports|search):read$/.test(route.scope))

  const serve = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    // Fastify times a request only if a hook waits for its end.
    const startedAt = performance.now()
    let principal: Principal | undefined
    try {
      const { headers, url: target = '' } = request.raw
      const rawBody = Buffer.isBuffer(request.body) ? request.body : undefined
      principal = await authenticate({ method: route.method, target, headers, rawBody })
      nameActor(actorName(principal.actor))
      await limitApp?.(request, reply, principal)
      admit(principal, headers)
      validation.headers(headers)
      const params = validation.params(request.params as Record<string, string>)
      const query = validation.query(request.query as Record<string, unknown>)
      if (takesBody) requireJson(headers, rawBody)
      const body = takesBody ? validation.body(rawBody) : undefined
      if (route.alsoNeeds?.when(body) === true) requireScope(principal, route.alsoNeeds.scope)
      const key = route.takesIdempotencyKey ? headers['idempotency-key'] : undefined
      const render = renderedOnce(route.render)
      const caller: Caller = {
        businessId: principal.businessId,
        businessCode: principal.businessCode,
        environment: principal.environment,
        appId: principal.appId,
        actor: principal.actor,
        scopes: principal.scopes,
        requestId: request.id,
        ...(typeof key === 'string' && {
          idempotency: { ...idempotencyOf(key, endpoint, target, body, fingerprintKeys()), render },
        }),
      }
      const staleness: Staleness | undefined =
        mayReadReplica && !asksForNewest(headers) ? { source: undefined, ageMs: undefined } : undefined
      const handle = (asked: unknown = query) => {
        const work = async () => render(await route.handle({ caller, params, query: asked, body }))
        return staleness === undefined ? work() : withStaleness(staleness, work)
      }
      const isCsv = list !== undefined && acceptsCsv(headers.accept)
      if (list !== undefined && !isCsv) refuseColumns(query as Record<string, unknown>)
      const data = isCsv
        ? await csvFile(list, query as Record<string, unknown>, handle)
        : audit === undefined
          ? await handle()
          : await audit(attemptOf(request, { caller, params, rawBody, body }), handle)
      if (staleness?.ageMs !== undefined) reply.header('data-age', String(Math.ceil(staleness.ageMs / 1000)))
      const context = { route: route.path, principal, startedAt, isWrite }
      if (data instanceof StreamedFile)
        responder.stream(request, reply, data, isCsv ? 'text/csv' : route.contentType, context)
      else responder.reply(request, reply, successEnvelope(data), context)
    } catch (error) {
      await refuse(request, reply, error, { principal, startedAt })
    }
  }
  const checkBody = async (request: FastifyRequest, reply: FastifyReply) => {
    const startedAt = performance.now()
    let principal: Principal | undefined
    try {
      const { headers, url: target = '' } = request.raw
      if (Number(headers['content-length']) > maxBodyBytes) throw platformErrors.payload_too_large()
      principal = await authenticate({
        method: route.method,
        target,
        headers,
        rawBody: undefined,
        isBodyUnread: true,
      })
      admit(principal, headers)
      return undefined
    } catch (error) {
      await refuse(request, reply, error, { principal, startedAt })
      return reply
    }
  }
  const refuse = async (
    request: FastifyRequest,
    reply: FastifyReply,
    error: unknown,
    context: Pick<RequestContext, 'principal' | 'startedAt'>,
  ) => {
    const refusal = isUnauthenticated(error) ? await refuseKey(request, error) : error
    responder.reject(request, reply, refusal, { ...context, route: route.path, isWrite })
  }
  const refuseKey = (request: FastifyRequest, error: unknown) =>
    countWrongKey(request).then(
      () => error,
      (tooMany: unknown) => tooMany,
    )
  return {
    serve: (request, reply) => {
      void inRequestSpan(request, route.path, () =>
        inRequest(request.id, route.priority, () => serve(request, reply), sizeOf(request.body)),
      )
    },
    admitBody: (request, reply) => inRequest(request.id, route.priority, () => checkBody(request, reply)),
  }
}

function sizeOf(body: unknown): number {
  return Buffer.isBuffer(body) ? body.length : 0
}

/** A keyed reply is needed twice: for the row of its key, and for the caller. */
function renderedOnce(render: Render): Render {
  let last: { readonly value: unknown; readonly data: object } | undefined
  return (value) => {
    if (last === undefined || last.value !== value) last = { value, data: render(value) }
    return last.data
  }
}

function asksForNewest({ 'cache-control': directives = '' }: IncomingHttpHeaders): boolean {
  return /(?:^|,)\s*no-cache\s*(?:,|$)/i.test(directives)
}

function attemptOf(
  request: FastifyRequest,
  write: Omit<AttemptedWrite, 'ipAddress' | 'userAgent'>,
): AttemptedWrite {
  return { ...write, ipAddress: request.ip, userAgent: request.headers['user-agent'] }
}

function isUnauthenticated(error: unknown): boolean {
  return error instanceof RequestError && error.status === 401
}

const JSON_TYPE = /^application\/json[\t ]*(?:;[\t ]*charset[\t ]*=[\t ]*"?utf-8"?[\t ]*)?;?$/i

function requireJson(headers: IncomingHttpHeaders, rawBody: Buffer | undefined): void {
  if (rawBody === undefined || rawBody.length === 0) return
  const type = headers['content-type']
  const encoding = headers['content-encoding']
  const isJson = type === 'application/json' || (type !== undefined && JSON_TYPE.test(type))
  if (!isJson || (encoding !== undefined && encoding !== 'identity')) {
    throw platformErrors.unsupported_media_type({
      param: isJson ? 'content-encoding' : 'content-type',
    })
  }
}

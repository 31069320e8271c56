import type { Json } from '#kernel/json'
import { SuccessWithMessage } from '#platform/envelope'
import { toRequestError } from '#platform/http/routes/request-error'
import type { Route } from '#platform/http/routes/route'
import { StreamedFile } from '#platform/http/routes/streamed-file'
import type { AttemptedWrite, AuditWrite, WriteAudit } from '#platform/http/routes/write-audit'
import { StoredReply } from '#platform/idempotency/stored-reply'
import type { AuditLogDependencies } from '../dependencies.ts'
import { audited } from '../entries/audited.ts'
import { storable, storableBody } from '../entries/document.ts'
import type { AuditedOutcome, AuditObject } from '../entries/entry.ts'
import { actionNameOf, isParameter, objectTypeOf } from './action-name.ts'
import { namedId } from './named-object.ts'

/**
 * Writes of an API key that are recorded: configuration and people. Its payments stand in the request log and in the events.
 * Writes of a user are all recorded.
 */
const CONFIGURATION_SCOPES = new Set(['admin:write', 'keys:write', 'users:write', 'privacy:write'])
const CONFIGURATION_PATHS = /\/(?:endpoints(?:\/.*)?|cards\/decision_hook)$/

export function writeAudit(deps: AuditLogDependencies): WriteAudit {
  return {
    compile: (route, routes) => {
      if (route.method === 'GET' || !route.scope.endsWith(':write')) return undefined
      const isConfiguration = CONFIGURATION_SCOPES.has(route.scope) || CONFIGURATION_PATHS.test(route.path)
      const audit = compileAudit(deps, route, routes)
      return (write, handle) =>
        isConfiguration || write.caller.actor.type !== 'api_key' ? audit(write, handle) : handle()
    },
  }
}

function compileAudit(deps: AuditLogDependencies, route: Route, routes: readonly Route[]): AuditWrite {
  const action = actionNameOf(route, routes)
  const objectType = objectTypeOf(route.path)
  const idParameter = route.path.split('/').findLast(isParameter)?.slice(1)
  const shown = routeThatShows(route, routes)
  return (write, handle) => {
    const { caller, rawBody, params, body } = write
    const id = parameterOf(params, idParameter) ?? namedId(body, objectType) ?? null
    const ofReply = (data: object): AuditObject => ({
      type: objectType,
      id: id ?? namedId(data, objectType) ?? null,
    })
    return audited(deps.db, {
      action: {
        businessId: caller.businessId,
        actor: caller.actor,
        action,
        object: { type: objectType, id },
        ipAddress: write.ipAddress,
        userAgent: write.userAgent,
        requestId: caller.requestId,
      },
      ...(rawBody !== undefined && rawBody.length > 0 && { request: storableBody(rawBody) }),
      ...(shown !== undefined && { before: () => stateBefore(shown, write) }),
      work: handle,
      afterOf: (data) => (data instanceof StreamedFile ? null : storable(dataOf(data))),
      objectOf: (data) => ofReply(dataOf(data)),
      outcomeOf,
      onLost: (error) =>
        deps.log.error(
          { err: error, request_id: caller.requestId },
          'the end of an audited write was not recorded',
        ),
    })
  }
}

function routeThatShows({ method, path }: Route, routes: readonly Route[]): Route | undefined {
  const parent = path.slice(0, path.lastIndexOf('/'))
  const candidates = method === 'POST' ? [] : [path]
  if (isParameter(parent.slice(parent.lastIndexOf('/') + 1))) candidates.push(parent)
  return candidates
    .map((shownPath) => routes.find((route) => route.method === 'GET' && route.path === shownPath))
    .find((route) => route !== undefined && route.contentType === undefined)
}

async function stateBefore(route: Route, { caller, params }: AttemptedWrite): Promise<Json> {
  const { idempotency: _, ...reader } = caller
  try {
    return storable(
      dataOf(route.render(await route.handle({ caller: reader, params, query: {}, body: undefined }))),
    )
  } catch {
    return null
  }
}

function outcomeOf(error: unknown): Omit<AuditedOutcome, 'before' | 'after'> {
  if (error instanceof StoredReply) {
    return { outcome: error.status < 400 ? 'completed' : 'refused', status: error.status, reason: 'replayed' }
  }
  const { status, reason } = toRequestError(error)
  return { outcome: status < 500 ? 'refused' : 'failed', status, reason }
}

function dataOf(data: object): object {
  return data instanceof SuccessWithMessage ? data.data : data
}

function parameterOf(params: unknown, name: string | undefined): string | undefined {
  if (name === undefined || typeof params !== 'object' || params === null) return undefined
  const value: unknown = Reflect.get(params, name)
  return typeof value === 'string' ? value : undefined
}

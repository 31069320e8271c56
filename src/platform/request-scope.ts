import { AsyncLocalStorage } from 'node:async_hooks'
import type { Span } from '@opentelemetry/api'
import type { Caller } from '#platform/caller'

export type Priority = 'critical' | 'standard' | 'low' | 'background'

/**
 * - `actorId`: Of the API key or the user, once the request is authenticated.
 * - `bytes`: Of its body.
 * - `isUnderWay`: Had a connection, so it may have written something.
 * - `held`: The slots that it holds now.
 */
export interface RequestScope {
  readonly requestId: string | null
  actorId: string | null
  readonly priority: Priority
  readonly bytes: number
  isUnderWay: boolean
  held: number
}

/**
 * The version of the data that a request reads, and its age.
 * - `source`: The database that the request reads. It may change from a replica to the primary but not back, so that
 * no part of a response is older than an earlier one.
 */
export interface Staleness {
  source: object | 'primary' | undefined
  ageMs: number | undefined
}

interface Scope {
  readonly request: RequestScope | undefined
  readonly span: Span | undefined
  readonly staleness: Staleness | undefined
}

const scopes = new AsyncLocalStorage<Scope>()

export function inRequest<T>(requestId: string, priority: Priority, work: () => T, bytes = 0): T {
  return runAs({ requestId, actorId: null }, priority, work, bytes)
}

export function onBehalfOf<T>({ requestId, actor }: Pick<Caller, 'requestId' | 'actor'>, work: () => T): T {
  return runAs({ requestId, actorId: actor.id }, 'background', work)
}

export function inBackground<T>(work: () => T): T {
  const { requestId = null, actorId = null } = currentRequest() ?? {}
  return runAs({ requestId, actorId }, 'background', work)
}

/** Runs what a request sets off and nobody asked for, such as what becomes due while a clock is advanced. */
export function withoutActor<T>(work: () => T): T {
  const { requestId, priority, bytes } = currentRequest() ?? {}
  return priority === undefined
    ? work()
    : runAs({ requestId: requestId ?? null, actorId: null }, priority, work, bytes)
}

function runAs<T>(
  whose: Pick<RequestScope, 'requestId' | 'actorId'>,
  priority: Priority,
  work: () => T,
  bytes = 0,
): T {
  const request = { ...whose, priority, bytes, isUnderWay: false, held: 0 }
  return scopes.run({ request, span: currentSpan(), staleness: currentStaleness() }, work)
}

export function currentRequest(): RequestScope | undefined {
  return scopes.getStore()?.request
}

export function currentRequestId(): string | null {
  return currentRequest()?.requestId ?? null
}

export function nameActor(actorId: string): void {
  const request = currentRequest()
  if (request !== undefined) request.actorId = actorId
}

export function withSpan<T>(span: Span, work: () => T): T {
  return scopes.run({ request: currentRequest(), span, staleness: currentStaleness() }, work)
}

export function currentSpan(): Span | undefined {
  return scopes.getStore()?.span
}

export interface KeptScope {
  readonly request: RequestScope | undefined
  readonly run: <T>(work: () => T) => T
}

/** Keeps the caller's scope for work that somebody else starts on its behalf. */
export function keepScope(): KeptScope {
  const scope = scopes.getStore()
  return {
    request: scope?.request,
    run: (work) => (scope === undefined ? scopes.exit(work) : scopes.run(scope, work)),
  }
}

/**
 * Runs work that several requests wait for. The work belongs to none of them, and from now on all of them count as
 * under way.
 */
export function inCompany<T>(members: readonly KeptScope[], work: () => T): T {
  for (const { request } of members) {
    if (request !== undefined && request.priority !== 'background') request.isUnderWay = true
  }
  const priority = members[0]?.request?.priority ?? 'background'
  const request = { requestId: null, actorId: null, priority, bytes: 0, isUnderWay: true, held: 1 }
  return scopes.run({ request, span: undefined, staleness: undefined }, work)
}

export function onOwnBehalf<T>(work: () => T): T {
  return scopes.exit(work)
}

export function withStaleness<T>(staleness: Staleness, work: () => T): T {
  return scopes.run({ request: currentRequest(), span: currentSpan(), staleness }, work)
}

export function currentStaleness(): Staleness | undefined {
  return scopes.getStore()?.staleness
}

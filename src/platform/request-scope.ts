import { AsyncLocalStorage } from 'node:async_hooks'
import type { Span } from '@opentelemetry/api'

/**
 * How old the data may be that a request reads, and is.
 * - `source`: Where the request reads. It may go from a replica to the primary but not back, so that no part of a
 *   response is older than an earlier one.
 */
export interface Staleness {
  source: object | 'primary' | undefined
  ageMs: number | undefined
}

interface Scope {
  readonly requestId: string | null
  readonly span: Span | undefined
  readonly staleness: Staleness | undefined
}

const scopes = new AsyncLocalStorage<Scope>()

/**
 * Runs `work` on behalf of a request. Events that it appends, however deep, carry the id of that request.
 * @param staleness of a request that only reads, and may do so from a replica
 */
export function onBehalfOf<T>(requestId: string, work: () => T, staleness?: Staleness): T {
  return scopes.run({ requestId, span: currentSpan(), staleness }, work)
}

export function currentRequestId(): string | null {
  return scopes.getStore()?.requestId ?? null
}

export function withSpan<T>(span: Span, work: () => T): T {
  return scopes.run({ requestId: currentRequestId(), span, staleness: currentStaleness() }, work)
}

export function currentSpan(): Span | undefined {
  return scopes.getStore()?.span
}

export function onOwnBehalf<T>(work: () => T): T {
  return scopes.exit(work)
}

export function currentStaleness(): Staleness | undefined {
  return scopes.getStore()?.staleness
}

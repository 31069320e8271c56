import { AsyncLocalStorage } from 'node:async_hooks'
import type { Span } from '@opentelemetry/api'

interface Scope {
  readonly requestId: string | null
  readonly span: Span | undefined
}

const scopes = new AsyncLocalStorage<Scope>()

/** Runs `work` on behalf of a request. Events that it appends, however deep, carry the id of that request. */
export function onBehalfOf<T>(requestId: string, work: () => T): T {
  return scopes.run({ requestId, span: currentSpan() }, work)
}

export function currentRequestId(): string | null {
  return scopes.getStore()?.requestId ?? null
}

export function withSpan<T>(span: Span, work: () => T): T {
  return scopes.run({ requestId: currentRequestId(), span }, work)
}

export function currentSpan(): Span | undefined {
  return scopes.getStore()?.span
}

export function onOwnBehalf<T>(work: () => T): T {
  return scopes.exit(work)
}

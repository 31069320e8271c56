import type { Caller } from '#platform/caller'
import type { Route } from '#platform/http/routes/route'

/** Records who changes what. `compile` returns undefined for a route whose requests are never recorded. */
export interface WriteAudit {
  compile(route: Route, routes: readonly Route[]): AuditWrite | undefined
}

/** Runs `handle` between the entries that say what is attempted and what came of it. */
export type AuditWrite = (write: AttemptedWrite, handle: () => Promise<object>) => Promise<object>

export interface AttemptedWrite {
  readonly caller: Caller
  readonly params: unknown
  readonly rawBody: Buffer | undefined
  readonly ipAddress: string
  readonly userAgent: string | undefined
}

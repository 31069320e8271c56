import type { Caller, Rendered } from '#platform/caller'
import type { Route } from '#platform/http/routes/route'

export interface WriteAudit {
  compile(route: Route, routes: readonly Route[]): AuditWrite | undefined
}

/** Audits what `handle` does, and returns what it returns. */
export type AuditWrite = (write: AttemptedWrite, handle: () => Promise<Rendered>) => Promise<Rendered>

export interface AttemptedWrite {
  readonly caller: Caller
  readonly params: unknown
  readonly rawBody: Buffer | undefined
  readonly body: unknown
  readonly ipAddress: string
  readonly userAgent: string | undefined
}

import type { Caller } from '#platform/caller'
import type { Route } from '#platform/http/routes/route'

export interface WriteAudit {
  compile(route: Route, routes: readonly Route[]): AuditWrite | undefined
}

export type AuditWrite = (write: AttemptedWrite, handle: () => Promise<object>) => Promise<object>

export interface AttemptedWrite {
  readonly caller: Caller
  readonly params: unknown
  readonly rawBody: Buffer | undefined
  readonly body: unknown
  readonly ipAddress: string
  readonly userAgent: string | undefined
}

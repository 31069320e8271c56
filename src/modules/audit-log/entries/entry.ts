import type { Actor } from '#platform/caller'

export const OPERATOR_CHAIN = 'operator'

export interface AuditObject {
  readonly type: string
  readonly id: string | null
}

type AuditOutcome = 'completed' | 'refused' | 'failed'

/**
 * Who does what, and from where.
 * - `businessId`: Null for what belongs to no business.
 * - `action`: A stable name such as `orders.void` or `sessions.create`.
 * - `ipAddress`: Null for the command line, where `origin` names the machine.
 */
export interface AuditedAction {
  readonly businessId: string | null
  readonly actor: Actor
  readonly action: string
  readonly object?: AuditObject | undefined
  readonly ipAddress?: string | null | undefined
  readonly userAgent?: string | null | undefined
  readonly origin?: string | undefined
  readonly requestId?: string | null | undefined
}

export interface AuditedOutcome {
  readonly outcome: AuditOutcome
  readonly reason?: string | undefined
  readonly status?: number | undefined
  readonly before?: unknown
  readonly after?: unknown
}

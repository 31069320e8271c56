import type { Instant } from '#kernel/clock'
import type { HookDecision } from './authorization.ts'

export interface DecisionHook {
  readonly url: string
  readonly timeoutMs: number
  readonly timeoutFallback: HookDecision
  readonly sealedSecret: string
  readonly createdAt: Instant
}

import type { DeliveryState } from './delivery.states.ts'

export interface Attempt {
  /** On the business's clock. `webhook_timestamp` is on the real one; attempts of early versions lack it. */
  readonly at: string
  readonly status: number | null
  readonly error?: string
  readonly duration_ms: number
  readonly webhook_timestamp?: number
  readonly answer?: string
}

export interface AttemptResult {
  readonly state: DeliveryState
  readonly attempt: Attempt
  readonly retryMs: number | null
  readonly isGone: boolean
}

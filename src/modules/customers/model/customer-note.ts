import type { Instant } from '#kernel/clock'

/** What somebody of the merchant wrote down about a customer. */
export interface CustomerNote {
  readonly id: string
  readonly customerUuid: string
  readonly text: string
  readonly actorId: string
  readonly createdAt: Instant
}

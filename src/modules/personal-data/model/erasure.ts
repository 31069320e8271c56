import type { Instant } from '#kernel/clock'

export const ERASURE_STATES = ['running', 'completed'] as const
export const ERASURE_CAUSES = ['request', 'retention', 'recovery'] as const

export interface Erasure {
  readonly id: string
  readonly customerUuid: string
  readonly cause: (typeof ERASURE_CAUSES)[number]
  readonly state: (typeof ERASURE_STATES)[number]
  readonly referenceNumber: string | null
  readonly texts: readonly string[]
  readonly pass: number
  readonly step: number
  readonly cursor: string
  readonly counts: Readonly<Record<string, number>>
  readonly dueAt: Instant | null
  readonly createdAt: Instant
  readonly completedAt: Instant | null
}

export interface Blocker {
  readonly reason: string
  readonly message: string
  readonly ids: readonly string[]
}

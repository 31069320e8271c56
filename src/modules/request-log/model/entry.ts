import type { Instant } from '#kernel/clock'

export interface Entry {
  readonly id: string
  readonly createdAt: Instant
  readonly requestId: string
  readonly method: string
  readonly path: string
  readonly query: string
  readonly route: string
  readonly status: number
  readonly reason: string | null
  readonly durationMs: number
  readonly actorType: string
  readonly actorId: string
  readonly appId: string
  readonly ipAddress: string
  readonly userAgent: string | null
  readonly idempotencyKey: string | null
  readonly isReplayed: boolean
  readonly objectIds: string
}

export interface EntryWithBodies extends Entry {
  readonly requestBody: string | null
  readonly responseBody: string | null
}

export type NewEntry = Omit<EntryWithBodies, 'id'>

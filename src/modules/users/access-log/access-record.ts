import type { Actor } from '#platform/caller'

export interface AccessObject {
  readonly type: string
  readonly id: string
}

export interface AccessRecord {
  readonly businessId: string | null
  readonly actor: Actor
  readonly action: string
  readonly object?: AccessObject | undefined
  readonly ipAddress: string
  readonly userAgent: string | undefined
  readonly requestId: string
  readonly outcome: {
    readonly outcome: 'completed' | 'refused'
    readonly reason?: string | undefined
    readonly after?: object | undefined
  }
}

export type RecordAccess = (record: AccessRecord) => Promise<unknown>

import type { MessageKind } from './kinds.ts'

/**
 * - `renewalDays`: How many days before a period of half a year or more begins it is announced.
 * - `messageDays`: For how many days messages are kept.
 */
export interface MessageSettings {
  readonly enabled: readonly MessageKind[]
  readonly replyTo: string | null
  readonly language: string | null
  readonly renewalDays: number
  readonly deliverInTest: boolean
  readonly bcc: string | null
  readonly joinReceipt: boolean
  readonly messageDays: number
}

export const DEFAULT_SETTINGS: MessageSettings = {
  enabled: [],
  replyTo: null,
  language: null,
  renewalDays: 14,
  deliverInTest: false,
  bcc: null,
  joinReceipt: false,
  messageDays: 400,
}

import type { Card } from 'quittance'

export type Status = Card['status']

/** Which status may follow which (reference/cards#status). */
const NEXT: Readonly<Record<Status, readonly Status[]>> = {
  Inactive: ['Terminated'],
  Active: ['Locked', 'Suspended', 'Terminated'],
  Locked: ['Active', 'Suspended', 'Terminated'],
  Suspended: ['Active', 'Locked', 'Terminated'],
  Expired: ['Terminated'],
  Terminated: [],
}

export const STATUSES = Object.keys(NEXT)

export type CardChange = 'lock' | 'unlock' | 'suspend' | 'terminate'

const CHANGES: Readonly<Record<CardChange, Status>> = {
  unlock: 'Active',
  lock: 'Locked',
  suspend: 'Suspended',
  terminate: 'Terminated',
}

export function statusAfter(change: CardChange): Status {
  return CHANGES[change]
}

export function changesOf(status: Status): CardChange[] {
  return (Object.keys(CHANGES) as CardChange[]).filter((change) => NEXT[status].includes(CHANGES[change]))
}

const TONES: Partial<Record<Status, 'good' | 'bad' | 'wait'>> = {
  Active: 'good',
  Locked: 'wait',
  Suspended: 'wait',
  Terminated: 'bad',
  Expired: 'bad',
}

export function toneOf(status: Status): 'good' | 'bad' | 'wait' | 'plain' {
  return TONES[status] ?? 'plain'
}

export const CARD_STATUSES = ['Inactive', 'Active', 'Locked', 'Suspended', 'Terminated', 'Expired'] as const
export type CardStatus = (typeof CARD_STATUSES)[number]

export const PHYSICAL_STATUSES = ['Idle', 'Ordered', 'Active', 'Locked', 'Suspended', 'Terminated'] as const
export type PhysicalStatus = (typeof PHYSICAL_STATUSES)[number]

/**
 * The status changes that a caller may request (reference/cards#status). Linking makes a card Active, and the end of its
 * last month makes it Expired.
 */
export const STATUS_CHANGES: Readonly<Record<CardStatus, readonly CardStatus[]>> = {
  Inactive: ['Terminated'],
  Active: ['Locked', 'Suspended', 'Terminated'],
  Locked: ['Active', 'Suspended', 'Terminated'],
  Suspended: ['Active', 'Locked', 'Terminated'],
  Expired: ['Terminated'],
  Terminated: [],
}

export const PHYSICAL_STATUS_CHANGES: Readonly<Record<PhysicalStatus, readonly PhysicalStatus[]>> = {
  Idle: ['Ordered', 'Terminated'],
  Ordered: ['Active', 'Terminated'],
  Active: ['Locked', 'Suspended', 'Terminated'],
  Locked: ['Active', 'Suspended', 'Terminated'],
  Suspended: ['Active', 'Locked', 'Terminated'],
  Terminated: [],
}

export function canChangeStatus(from: CardStatus, to: CardStatus): boolean {
  return STATUS_CHANGES[from].includes(to)
}

export function canChangePhysicalStatus(from: PhysicalStatus, to: PhysicalStatus): boolean {
  return PHYSICAL_STATUS_CHANGES[from].includes(to)
}

export const CARD_STATUSES = ['Inactive', 'Active', 'Locked', 'Suspended', 'Terminated', 'Expired'] as const
export type CardStatus = (typeof CARD_STATUSES)[number]

/** Where the piece of plastic is. */
export const PHYSICAL_STATUSES = ['Idle', 'Ordered', 'Active', 'Locked', 'Suspended', 'Terminated'] as const
export type PhysicalStatus = (typeof PHYSICAL_STATUSES)[number]

/**
 * What a caller may change a card's status to (decisions, section 6). A card becomes Active by being linked, and Expired at
 * the end of its last month; Terminated is final.
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

/**
 * What a caller may change a card's status to (decisions, section 6). A card becomes Active by being linked, and Expired at
 * the end of its last month; Terminated is final.
 */
export const CARD_STATUSES = {
  Inactive: ['Terminated'],
  Active: ['Locked', 'Suspended', 'Terminated'],
  Locked: ['Active', 'Suspended', 'Terminated'],
  Suspended: ['Active', 'Locked', 'Terminated'],
  Expired: ['Terminated'],
  Terminated: [],
} as const satisfies Record<string, readonly string[]>

export type CardStatus = keyof typeof CARD_STATUSES

/** Where the piece of plastic is. */
export const PHYSICAL_STATUSES = {
  Idle: ['Ordered', 'Terminated'],
  Ordered: ['Active', 'Terminated'],
  Active: ['Locked', 'Suspended', 'Terminated'],
  Locked: ['Active', 'Suspended', 'Terminated'],
  Suspended: ['Active', 'Locked', 'Terminated'],
  Terminated: [],
} as const satisfies Record<string, readonly string[]>

export type PhysicalStatus = keyof typeof PHYSICAL_STATUSES

export function mayBecome(from: CardStatus, to: CardStatus): boolean {
  const reachable: readonly CardStatus[] = CARD_STATUSES[from]
  return reachable.includes(to)
}

export function mayPhysicallyBecome(from: PhysicalStatus, to: PhysicalStatus): boolean {
  const reachable: readonly PhysicalStatus[] = PHYSICAL_STATUSES[from]
  return reachable.includes(to)
}

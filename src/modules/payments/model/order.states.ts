import type { StateTable } from '#kernel/state-table'

/** `shorten` is the void of a transaction that leaves a completed order short of its total (reference/orders#states). */
export const ORDER_STATES = {
  open: { complete: 'completed', void: 'voided', expire: 'expired' },
  completed: { shorten: 'open', refund_all: 'refunded', void: 'voided' },
  refunded: {},
  voided: {},
  expired: {},
} as const satisfies StateTable<OrderEvent>

export type OrderEvent = 'complete' | 'shorten' | 'refund_all' | 'void' | 'expire'
export type OrderState = keyof typeof ORDER_STATES

import type { StateTable } from '#kernel/state-table'

/**
 * `shorten` is a void or a late failure of a transaction that leaves an order short of its total. `restore` is the late failure
 * of a refund (reference/orders#states).
 */
export const ORDER_STATES = {
  open: { complete: 'completed', void: 'voided', expire: 'expired' },
  completed: { shorten: 'open', refund_all: 'refunded', void: 'voided' },
  refunded: { shorten: 'open', restore: 'completed' },
  voided: {},
  expired: {},
} as const satisfies StateTable<OrderEvent>

export type OrderEvent = 'complete' | 'shorten' | 'refund_all' | 'restore' | 'void' | 'expire'
export type OrderState = keyof typeof ORDER_STATES

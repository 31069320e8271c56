/**
 * The life of an order (decisions, section 3). `shorten` is the void of a transaction that leaves a completed order short of
 * its total. Of what is final, nothing leads away: money that still arrives is recorded and reversed.
 */
export const ORDER_STATES = {
  open: { complete: 'completed', void: 'voided', expire: 'expired' },
  completed: { shorten: 'open', refundAll: 'refunded', void: 'voided' },
  refunded: {},
  voided: {},
  expired: {},
} as const satisfies Record<string, Readonly<Partial<Record<OrderEvent, string>>>>

export type OrderEvent = 'complete' | 'shorten' | 'refundAll' | 'void' | 'expire'
export type OrderState = keyof typeof ORDER_STATES

/** The state after `event`; undefined when the order cannot have it. */
export function nextOrderState(state: OrderState, event: OrderEvent): OrderState | undefined {
  const events: Readonly<Partial<Record<OrderEvent, OrderState>>> = ORDER_STATES[state]
  return events[event]
}

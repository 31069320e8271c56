/**
 * The life of a delivery. Receivers get events at least once: `delivered` says that one answered 2xx,
 * `exhausted` that the schedule is used up or the receiver is gone. Either can be asked for again.
 */
export const DELIVERY_STATES = {
  pending: { accept: 'delivered', refuse: 'pending', give_up: 'exhausted' },
  delivered: { redeliver: 'pending' },
  exhausted: { redeliver: 'pending' },
} as const

export type DeliveryState = keyof typeof DELIVERY_STATES

/**
 * The life of a delivery. Receivers get events at least once: `delivered` says that one answered 2xx,
 * `exhausted` that the schedule is used up or the receiver is gone. Either can be asked for again, and is `pending` then.
 */
export const DELIVERY_STATES = ['pending', 'delivered', 'exhausted'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

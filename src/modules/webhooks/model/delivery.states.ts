/**
 * `delivered`: the receiver responded with 2xx. `exhausted`: the retries are used up, or the endpoint is gone. A
 * redelivery makes either `pending` again.
 */
export const DELIVERY_STATES = ['pending', 'delivered', 'exhausted'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

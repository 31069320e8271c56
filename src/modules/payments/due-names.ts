/** Names of this module's due work beside the operations; they are stored. */
export const ORDER_EXPIRY = 'order_expiry'
export const ORDER_VOIDS = 'order_voids'
export const AUTHORIZATION_EXPIRY = 'authorization_expiry'

export const PAYMENT_OPERATIONS = 'payment_operations'
export const ORDER_EXPIRY = 'order_expiry'
export const ORDER_VOIDS = 'order_voids'
export const AUTHORIZATION_EXPIRY = 'authorization_expiry'

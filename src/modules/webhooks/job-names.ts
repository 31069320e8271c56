export const DELIVERIES = 'webhook_deliveries'
export const PURGE = 'webhook_delivery_purge'

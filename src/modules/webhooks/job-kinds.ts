/** Names of the module's due work, as stored in `due_heads`. */
export const DELIVERIES = 'webhook_deliveries'
export const PURGE = 'webhook_delivery_purge'

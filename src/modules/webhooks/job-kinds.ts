/** Names of the module's due work, as stored in `next_runs`. */
export const DELIVERIES = 'webhook_deliveries'
export const PURGE = 'webhook_delivery_purge'

export const ERASURES = 'erasures'
export const RETENTION = 'customer_retention'

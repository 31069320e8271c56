/** The process that writes a delivery dispatches it at once. Any process may claim it after this. */
export const HANDOVER_MS = 250

/** Finished deliveries and their attempts are kept at least this long, on the real clock. Then their month is dropped. */
export const RETENTION_DAYS = 30
/** A month of 31 days has been dropped by then (docs/decisions/partitions-of-deliveries). What is left is deleted. */
export const PURGE_DAYS = RETENTION_DAYS + 32

/** The process that writes a delivery dispatches it at once. Any process may claim it after this. */
export const HANDOVER_MS = 250

/** Finished deliveries and their attempts are kept this long, on the real clock. */
export const RETENTION_DAYS = 30

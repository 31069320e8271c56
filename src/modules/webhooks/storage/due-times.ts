/**
 * The process that writes a delivery hands it to its own dispatcher at once, when it has one. After
 * this any process takes it.
 */
export const HANDOVER_MS = 250

/** Deliveries and their attempts are kept this long, on the real clock. */
export const KEPT_DAYS = 30

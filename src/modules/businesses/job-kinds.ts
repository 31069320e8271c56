/** Name of the job in `next_runs`. */
export const NONCE_PURGE = 'nonce_purge'

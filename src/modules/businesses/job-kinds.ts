/** The name of the module's due work, as stored in `due_heads`. */
export const NONCE_PURGE = 'nonce_purge'

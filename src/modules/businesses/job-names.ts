export const NONCE_PURGE = 'nonce_purge'

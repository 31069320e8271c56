import type { Database } from '#platform/database'
import type { DueWork } from '#platform/due-work'
import { deleteExpiredNonces, firstNonceExpiry } from './repository.ts'

export const NONCE_PURGE = 'nonce_purge'
const BATCH = 1_000

/** Forgets nonces whose signatures are too old to be accepted anyway. */
export function noncePurge(db: Database): DueWork {
  return {
    name: NONCE_PURGE,
    clock: 'real',
    nextDueAt: firstNonceExpiry,
    run: ({ businessId, until }) => deleteExpiredNonces(db, businessId, until, BATCH),
  }
}

import type { Database } from '#platform/postgres/database'
import type { Job } from '#platform/jobs/jobs'
import { NONCE_PURGE } from './job-names.ts'
import { deleteExpiredNonces, firstNonceExpiry } from './storage/repository.ts'

const BATCH = 1_000

export function noncePurge(db: Database): Job {
  return {
    name: NONCE_PURGE,
    clock: 'real',
    nextRunAt: firstNonceExpiry,
    run: ({ businessId, until }) => db.transact(businessId, (tx) => deleteExpiredNonces(tx, until, BATCH)),
  }
}

import { leaseNow } from '#modules/acquirers'
import { claimDue } from '#platform/jobs/leases'
import type { JobRun, Job } from '#platform/jobs/jobs'
import { BINDING_INQUIRIES, FAILED_TOKEN_PURGE } from './job-names.ts'
import type { CustomersContext } from './context.ts'
import { cardExpiryNotices } from './expiry/expiry-notices.ts'
import {
  claimDueTokens,
  type DueToken,
  deleteFailedTokens,
  nextPurgeAt,
  nextTokenDueAt,
  PENDING_TOKENS,
} from './storage/payment-token.repository.ts'
import { failedBefore } from './model/payment-token.ts'
import { resolveBinding } from './bindings/resolve-binding.ts'
import { agreementEnds } from './tokens/end-agreements.ts'
import { instrumentRefresh } from './tokens/refresh-instrument.ts'

/** Four runs at a time ask about 64 (docs/decisions/bounded-inquiries). */
export const INQUIRY_BATCH = 16
const PURGE_BATCH = 1_000

export function customerJobs(ctx: CustomersContext): Job[] {
  return [
    bindingInquiries(ctx),
    failedTokenPurge(ctx),
    instrumentRefresh(ctx),
    cardExpiryNotices(ctx),
    agreementEnds(ctx),
  ]
}

function bindingInquiries(ctx: CustomersContext): Job {
  return {
    name: BINDING_INQUIRIES,
    clock: 'business',
    callsAcquirer: true,
    waitsForOutcomes: true,
    nextRunAt: nextTokenDueAt,
    run: async (run) => {
      const claimed = await claim(ctx, run)
      const done = await Promise.allSettled(
        claimed.map((due) =>
          resolveBinding(ctx, run.businessId, due.token, run.timeOf(due.dueAt), {}, run.quietUntil),
        ),
      )
      const failed = done.find((result) => result.status === 'rejected')
      if (failed !== undefined) throw failed.reason
      return claimed.length
    },
  }
}

/**
 * Deletes failed tokens 30 days after they failed. The business clock decides, as for the 24 hours of the payer: all times of
 * a token are on that clock. Nothing refers to a failed token but its events, which are kept: it was never a default token
 * and never charged. Its customer is kept, too, for an erasure.
 */
function failedTokenPurge(ctx: CustomersContext): Job {
  return {
    name: FAILED_TOKEN_PURGE,
    clock: 'business',
    domain: 'failed payment tokens',
    nextRunAt: nextPurgeAt,
    run: ({ businessId, until }) =>
      ctx.db.transact(businessId, (tx) => deleteFailedTokens(tx, failedBefore(until), PURGE_BATCH)),
  }
}

function claim(ctx: CustomersContext, run: JobRun): Promise<DueToken[]> {
  return claimDue(ctx.db, run, PENDING_TOKENS, (tx) =>
    claimDueTokens(tx, { until: run.until, limit: INQUIRY_BATCH, lease: leaseNow() }),
  )
}

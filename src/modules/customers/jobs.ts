import { realClock } from '#kernel/clock'
import { leaseNow } from '#modules/acquirers'
import { claimDue } from '#platform/jobs/claim'
import type { JobRun, Job } from '#platform/jobs/jobs'
import { BINDING_INQUIRIES } from './job-kinds.ts'
import type { CustomersDependencies } from './dependencies.ts'
import {
  claimDueTokens,
  type DueToken,
  hasLeasedDue,
  nextTokenDueAt,
} from './storage/payment-token.repository.ts'
import { resolveBinding } from './bindings/resolve-binding.ts'

/** Tokens of one run, all asked about at the same time. */
const BATCH = 16

/** Finds out what became of pending tokens: the acquirer did not answer, a process died, or a payer has to confirm. */
export function bindingInquiries(deps: CustomersDependencies): Job {
  return {
    name: BINDING_INQUIRIES,
    clock: 'business',
    callsAcquirer: true,
    nextRunAt: nextTokenDueAt,
    run: async (run) => {
      const claimed = await claim(deps, run)
      const done = await Promise.allSettled(
        claimed.map((due) => resolveBinding(deps, run.businessId, due.token, run.timeOf(due.dueAt))),
      )
      const failed = done.find((result) => result.status === 'rejected')
      if (failed !== undefined) throw failed.reason
      return claimed.length
    },
  }
}

function claim(deps: CustomersDependencies, run: JobRun): Promise<DueToken[]> {
  return claimDue(deps.db, run, {
    claim: (tx) => claimDueTokens(tx, { until: run.until, limit: BATCH, ...leaseNow() }),
    hasLeased: (tx) => hasLeasedDue(tx, run.until, realClock.now()),
  })
}

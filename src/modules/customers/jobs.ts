import { realClock } from '#kernel/clock'
import { leaseNow } from '#modules/acquirers'
import { claimDue } from '#platform/jobs/claim'
import type { DueRun, DueWork } from '#platform/jobs/jobs'
import { BINDING_INQUIRIES } from './job-kinds.ts'
import type { CustomersNeeds } from './dependencies.ts'
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
export function bindingInquiries(needs: CustomersNeeds): DueWork {
  return {
    name: BINDING_INQUIRIES,
    clock: 'business',
    asksOutside: true,
    nextDueAt: nextTokenDueAt,
    run: async (run) => {
      const claimed = await claim(needs, run)
      const done = await Promise.allSettled(
        claimed.map((due) => resolveBinding(needs, run.businessId, due.token, run.timeOf(due.dueAt))),
      )
      const failed = done.find((result) => result.status === 'rejected')
      if (failed !== undefined) throw failed.reason
      return claimed.length
    },
  }
}

function claim(needs: CustomersNeeds, run: DueRun): Promise<DueToken[]> {
  return claimDue(needs.db, run, {
    claim: (tx) => claimDueTokens(tx, { until: run.until, limit: BATCH, ...leaseNow() }),
    hasLeased: (tx) => hasLeasedDue(tx, run.until, realClock.now()),
  })
}

import { setTimeout as sleep } from 'node:timers/promises'
import { realClock } from '#kernel/clock'
import type { DueRun, DueWork } from '#platform/due-work'
import type { CustomersNeeds } from './needs.ts'
import { claimDueTokens, hasLeasedDue, nextTokenDueAt } from './payment-token.repository.ts'
import type { DueToken } from './payment-token.repository.ts'
import { BINDING_INQUIRIES, LEASE_MS } from './record-binding.ts'
import { resolveBinding } from './resolve-binding.ts'

/** Tokens of one run, all asked about at the same time. */
const BATCH = 20
const LEASED_POLL_MS = 50

/** Finds out what became of pending tokens: the acquirer did not answer, a process died, or a payer has to confirm. */
export function bindingInquiries(needs: CustomersNeeds): DueWork {
  return {
    name: BINDING_INQUIRIES,
    clock: 'business',
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

/**
 * While a clock is being advanced, what a caller is binding at this moment is waited for: it is due, and the advance
 * answers only when all that is due has happened. It ends with the call or with the lease.
 */
async function claim(needs: CustomersNeeds, run: DueRun): Promise<DueToken[]> {
  for (;;) {
    const result = await needs.db.transact(run.businessId, async (tx) => {
      const realNow = realClock.now()
      const leasedUntil = realNow.add({ milliseconds: LEASE_MS })
      const claimed = await claimDueTokens(tx, { until: run.until, limit: BATCH, realNow, leasedUntil })
      const advancing = tx.clockOffsetMs === undefined
      const wait = claimed.length === 0 && advancing && (await hasLeasedDue(tx, run.until, realNow))
      return { claimed, wait }
    })
    if (!result.wait) return result.claimed
    await sleep(LEASED_POLL_MS)
  }
}

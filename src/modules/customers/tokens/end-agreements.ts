import { nextInquiryAt } from '#kernel/inquiry-times'
import type { Instant } from '#kernel/clock'
import type { Job } from '#platform/jobs/jobs'
import type { CustomersContext } from '../context.ts'
import { AGREEMENT_ENDS } from '../job-names.ts'
import {
  type AgreementToEnd,
  findAgreementsToEnd,
  forgetAgreementEnd,
  nextAgreementEnd,
  recordAgreementEnd,
} from '../storage/agreement-end.repository.ts'

/** A run makes at most 16 calls at a time (`ACQUIRER_CONCURRENCY`). */
const BATCH = 16

/** Ends the agreements of deleted tokens at their acquirers, and repeats it until each has ended. */
export function agreementEnds(ctx: CustomersContext): Job {
  return {
    name: AGREEMENT_ENDS,
    clock: 'business',
    callsAcquirer: true,
    nextRunAt: nextAgreementEnd,
    run: async ({ businessId, until, quietUntil }) => {
      const due = await ctx.db.transact(businessId, (tx) => findAgreementsToEnd(tx, until, BATCH))
      await Promise.all(due.map((agreement) => end(ctx, businessId, agreement, until, quietUntil)))
      return due.length
    },
  }
}

async function end(
  ctx: CustomersContext,
  businessId: string,
  agreement: AgreementToEnd,
  at: Instant,
  quietUntil: Instant | undefined,
): Promise<void> {
  const { agreements } = await ctx.acquirers.open(businessId, agreement.accountId)
  if (agreements === undefined) {
    return ctx.db.transact(businessId, (tx) => forgetAgreementEnd(tx, agreement.token))
  }
  const reply = await agreements.end(agreement.agreement, agreement.token)
  const isOver = reply.kind === 'ok' || reply.kind === 'absent'
  await ctx.db.transact(businessId, (tx) =>
    recordAgreementEnd(tx, agreement, isOver ? null : nextInquiryAt(agreement.inquiries, at, quietUntil)),
  )
}

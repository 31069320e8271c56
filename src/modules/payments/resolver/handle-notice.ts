import type { Notice } from '#modules/acquirers'
import type { Tx } from '#platform/postgres/database'
import type { PaymentsContext } from '../context.ts'
import { expireByNotice } from '../follow-ups/expire-authorizations.ts'
import { failLater } from '../operations/fail-later.ts'
import { hastenInquiries } from '../storage/operation.repository.ts'
import { releaseLateHold } from '../voids/release-late-hold.ts'

export async function handleNotice(
  ctx: PaymentsContext,
  tx: Tx,
  notice: Pick<Notice, 'subject'> & { readonly accountId: string },
): Promise<void> {
  const { subject } = notice
  // In the order in which results are recorded: first orders are locked, then operations.
  if (subject.kind === 'hold') await releaseLateHold(ctx, tx, notice)
  if (subject.kind === 'failure') await failLater(ctx, tx, notice)
  if (subject.kind === 'expiry') await expireByNotice(ctx, tx, notice)
  if (isAboutPayment(subject)) await hastenInquiries(tx, subject, tx.now)
}

function isAboutPayment({ kind }: Notice['subject']): boolean {
  return kind === 'payment' || kind === 'hold' || kind === 'failure' || kind === 'expiry'
}

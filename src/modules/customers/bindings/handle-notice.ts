import type { Notice } from '#modules/acquirers'
import type { Tx } from '#platform/postgres/database'
import { scheduleRefresh } from '../storage/instrument-refresh.repository.ts'
import { hastenInquiry } from '../storage/payment-token.repository.ts'

export async function handleNotice(
  tx: Tx,
  { accountId, subject }: Pick<Notice, 'subject'> & { readonly accountId: string },
): Promise<void> {
  if (subject.kind === 'verification') await hastenInquiry(tx, subject, tx.now)
  else if (subject.kind === 'instrument') await scheduleRefresh(tx, accountId, subject.reference, tx.now)
}

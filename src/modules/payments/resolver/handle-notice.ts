import type { Notice } from '#modules/acquirers'
import type { Tx } from '#platform/postgres/database'
import type { PaymentsContext } from '../context.ts'
import { expireByNotice, releaseByNotice } from '../follow-ups/expire-authorizations.ts'
import type { Transaction } from '../model/transaction.ts'
import { failLater } from '../operations/fail-later.ts'
import { hastenInquiries } from '../storage/operation.repository.ts'
import { findTransactions } from '../storage/transaction.repository.ts'
import { releaseLateHold } from '../voids/release-late-hold.ts'

type ReceivedNotice = Pick<Notice, 'subject'> & { readonly accountId: string }

const HANDLERS: Readonly<
  Partial<
    Record<
      Notice['subject']['kind'],
      (ctx: PaymentsContext, tx: Tx, transaction: Transaction, reference: string) => Promise<void>
    >
  >
> = { hold: releaseLateHold, failure: failLater, expiry: expireByNotice, release: releaseByNotice }

export async function handleNotice(ctx: PaymentsContext, tx: Tx, notice: ReceivedNotice): Promise<void> {
  const { subject } = notice
  const handle = HANDLERS[subject.kind]
  if (handle === undefined && subject.kind !== 'payment') return
  // As for the recording of results, orders are locked before operations.
  const transaction = handle === undefined ? undefined : await transactionOf(tx, notice)
  if (transaction !== undefined) await handle?.(ctx, tx, transaction, subject.reference)
  await hastenInquiries(tx, subject, tx.now)
}

/** Reads the transaction before its order is locked. */
async function transactionOf(
  tx: Tx,
  { accountId, subject: { key } }: ReceivedNotice,
): Promise<Transaction | undefined> {
  const found = key === null ? undefined : (await findTransactions(tx, [key])).get(key)
  return found?.acquirerAccountId === accountId ? found : undefined
}

import { newId } from '#kernel/ids'
import type { Tx } from '#platform/postgres/database'
import type { BankTransfersContext } from '../context.ts'
import type { StatementEntry } from '../model/statement-entry.ts'
import { applyReturns } from '../returns/apply-returns.ts'
import { decideNew } from '../statements/decide-new.ts'
import { completeEntries, findKnown, insertReturns, lockEntries } from '../storage/entry.repository.ts'

export async function importReturns(
  ctx: BankTransfersContext,
  tx: Tx,
  statementId: string,
  batch: readonly StatementEntry[],
): Promise<void> {
  await lockEntries(tx)
  const { added: returns, completed } = decideNew(batch, await findKnown(tx, batch))
  await completeEntries(tx, completed)
  if (returns.length === 0) return
  await insertReturns(
    tx,
    returns.map((entry) => ({ id: newId('bke'), entry, statementId, at: tx.now })),
  )
  await applyReturns(ctx, tx, [...new Set(returns.flatMap(({ endToEndId }) => endToEndId ?? []))])
}

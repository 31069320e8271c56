import { throwIfRefused } from '#kernel/errors'
import type { OrdersForTransfers } from '#modules/payments'
import { lockedUntil, refuseLocked, taxErrors } from '#modules/taxes'
import type { Tx } from '#platform/postgres/database'
import { type BankTransfersContext, entryEvent } from '../context.ts'
import type { BankEntry, EntryMatch } from '../model/bank-entry.ts'
import { findMatches, undoMatches } from '../storage/match.repository.ts'
import { undoWriteOffs } from '../storage/write-off.repository.ts'
import { creditedBeyondDue, decideUndone } from './decide-undone.ts'

/** - `returnedOn`: The day on which a return of the bank counts; null for a match that was a mistake. */
interface UndoReason {
  readonly note: string
  readonly returnedOn: string | null
}

/** - `inUse`: Those that stay, because something of them was given back or became credit of a plan. */
interface Undone {
  readonly undone: readonly BankEntry[]
  readonly inUse: readonly BankEntry[]
}

/**
 * Voids the transactions of matched entries, except those of an invoice that was credited beyond what was due: its
 * order would become payable again for an amount that is no longer owed. A mistake in a closed month stays.
 * @param reasonOf gets the last closed day
 */
export async function undoMatchesOf(
  ctx: BankTransfersContext,
  tx: Tx,
  entries: readonly BankEntry[],
  reasonOf: (entry: BankEntry, closed: string | null) => UndoReason,
): Promise<Undone> {
  if (entries.length === 0) return { undone: [], inUse: [] }
  const closed = await lockedUntil(tx)
  const matches = Map.groupBy(
    await findMatches(
      tx,
      entries.map(({ id }) => id),
    ),
    ({ entryId }) => entryId,
  )
  const all = [...matches.values()].flat()
  const locked = await ctx.payments.lockOrdersForTransfers(tx, [
    ...new Set(all.map(({ orderId }) => orderId)),
  ])
  // A reissue has credited the invoice that was paid, and the payment stays with the one that replaces it.
  const invoices = await ctx.invoices.findPayableInvoices(
    tx,
    [...locked.orders.values()].flatMap(({ invoice }) => invoice?.id ?? []),
  )
  const { undone = [], inUse = [] } = decideUndone(
    entries,
    matches,
    locked,
    creditedBeyondDue(locked, invoices),
  )
  const ofUndone = undone.flatMap((entry) => {
    const reason = reasonOf(entry, closed)
    return (matches.get(entry.id) ?? []).map((match) => ({ ...match, ...reason }))
  })
  for (const { orderId, transactionId, returnedOn } of ofUndone) {
    if (returnedOn !== null) continue
    throwIfRefused(taxErrors, refuseLocked(locked.valueDateOf(orderId, transactionId), closed))
  }
  await voidTransfers(tx, locked, ofUndone)
  const changed = undone.map((entry): BankEntry => ({
    ...entry,
    state: 'unmatched',
    countedOn: null,
    updatedAt: tx.now,
  }))
  await ctx.events.append(
    tx,
    changed.map((entry) => entryEvent(ctx, 'bank_entry.unmatched', { entry, matches: [] })),
  )
  return { undone: changed, inUse }
}

async function voidTransfers(
  tx: Tx,
  locked: OrdersForTransfers,
  matches: readonly (EntryMatch & UndoReason)[],
): Promise<void> {
  const transactionIds = matches.map(({ transactionId }) => transactionId)
  const writtenOff = await undoWriteOffs(tx, transactionIds)
  await locked.undo(
    matches.map(({ orderId, transactionId, note, returnedOn }) => ({
      orderId,
      transactionId,
      note,
      returnedOn,
      writtenOff: writtenOff.get(transactionId),
    })),
  )
  await undoMatches(tx, transactionIds, tx.now)
}

import { throwIfRefused } from '#kernel/errors'
import { lockedUntil, refuseLocked, taxErrors } from '#modules/taxes'
import type { Tx } from '#platform/postgres/database'
import { type BankTransfersContext, entryEvent } from '../context.ts'
import type { BankEntry } from '../model/bank-entry.ts'
import { findMatches, undoMatches } from '../storage/match.repository.ts'

/** - `returnedOn`: The day on which a return of the bank counts; null for a match that was a mistake. */
interface UndoReason {
  readonly note: string
  readonly returnedOn: string | null
}

interface Undone {
  readonly undone: readonly BankEntry[]
  readonly kept: readonly BankEntry[]
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
  if (entries.length === 0) return { undone: [], kept: [] }
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
  const invoices = await ctx.invoices.findPayableInvoices(tx, [
    ...new Set(all.map(({ invoice }) => invoice.id)),
  ])
  const credited = new Set(
    invoices
      .filter(({ orderId, creditedTotal }) => {
        const order = locked.orders.get(orderId)
        return order !== undefined && creditedTotal.greaterThan(order.creditedTotal)
      })
      .map(({ id }) => id),
  )
  const { undone = [], kept = [] } = Object.groupBy(entries, ({ id }) =>
    matches.get(id)?.some(({ invoice }) => credited.has(invoice.id)) ? 'kept' : 'undone',
  )
  const transfers = undone.flatMap((entry) => {
    const reason = reasonOf(entry, closed)
    return (matches.get(entry.id) ?? []).map(({ orderId, transactionId }) => ({
      orderId,
      transactionId,
      ...reason,
    }))
  })
  for (const { orderId, transactionId, returnedOn } of transfers) {
    if (returnedOn !== null) continue
    throwIfRefused(taxErrors, refuseLocked(locked.valueDateOf(orderId, transactionId), closed))
  }
  await locked.undo(transfers)
  await undoMatches(
    tx,
    transfers.map(({ transactionId }) => transactionId),
    tx.now,
  )
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
  return { undone: changed, kept }
}

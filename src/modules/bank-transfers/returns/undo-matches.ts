import { throwIfRefused } from '#kernel/errors'
import type { PayableInvoice } from '#modules/invoices'
import type { OrdersForTransfers } from '#modules/payments'
import { lockedUntil, refuseLocked, taxErrors } from '#modules/taxes'
import type { Tx } from '#platform/postgres/database'
import { type BankTransfersContext, entryEvent } from '../context.ts'
import type { BankEntry, EntryMatch } from '../model/bank-entry.ts'
import { findMatches, undoMatches } from '../storage/match.repository.ts'
import { undoWriteOffs } from '../storage/write-off.repository.ts'

/** - `returnedOn`: The day on which a return of the bank counts; null for a match that was a mistake. */
interface UndoReason {
  readonly note: string
  readonly returnedOn: string | null
}

/** - `inUse`: Of which something was given back or became credit of a plan. They are kept, too. */
interface Undone {
  readonly undone: readonly BankEntry[]
  readonly kept: readonly BankEntry[]
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
  if (entries.length === 0) return { undone: [], kept: [], inUse: [] }
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
  const credited = creditedBeyondDue(locked, invoices)
  const taken: EntryMatch[] = []
  const isUsed = ({ orderId, transactionId }: EntryMatch) => {
    const earlier = taken.filter((one) => one.orderId === orderId).map((one) => one.transactionId)
    return locked.isInUse(orderId, [...earlier, transactionId])
  }
  const {
    undone = [],
    credited: kept = [],
    inUse = [],
  } = Object.groupBy(entries, ({ id }) => {
    const ofEntry = matches.get(id) ?? []
    if (ofEntry.some(isUsed)) return 'inUse'
    if (ofEntry.some(({ invoice }) => credited.has(invoice.id))) return 'credited'
    taken.push(...ofEntry)
    return 'undone'
  })
  const ofUndone = undone.flatMap((entry) => {
    const reason = reasonOf(entry, closed)
    return (matches.get(entry.id) ?? []).map((match) => ({ ...match, ...reason }))
  })
  for (const { orderId, transactionId, returnedOn } of ofUndone) {
    if (returnedOn !== null) continue
    throwIfRefused(taxErrors, refuseLocked(locked.valueDateOf(orderId, transactionId), closed))
  }
  const writtenOff = await undoWriteOffs(
    tx,
    ofUndone.map(({ transactionId }) => transactionId),
  )
  const transfers = ofUndone.map(({ orderId, transactionId, note, returnedOn }) => ({
    orderId,
    transactionId,
    note,
    returnedOn,
    writtenOff: writtenOff.get(transactionId),
  }))
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
  return { undone: changed, kept, inUse }
}

/** The ids of invoices that were credited beyond what was due: without their payment they would be due again. */
export function creditedBeyondDue(
  { orders }: Pick<OrdersForTransfers, 'orders'>,
  invoices: readonly PayableInvoice[],
): ReadonlySet<string> {
  return new Set(
    invoices
      .filter(({ orderId, creditedTotal }) => {
        const order = orders.get(orderId)
        return order !== undefined && creditedTotal.greaterThan(order.creditedTotal)
      })
      .map(({ id }) => id),
  )
}

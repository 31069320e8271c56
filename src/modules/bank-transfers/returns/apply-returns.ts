import { firstOpenDay } from '#modules/taxes'
import type { Tx } from '#platform/postgres/database'
import type { BankTransfersContext } from '../context.ts'
import type { BankEntry } from '../model/bank-entry.ts'
import { findOpenReturns, findReturnable, updateEntries } from '../storage/entry.repository.ts'
import { decideReturns } from './decide-returns.ts'
import { undoMatchesOf } from './undo-matches.ts'

/** Statements may come in any order, so a return may be known before its credit. */
export async function applyReturns(
  ctx: BankTransfersContext,
  tx: Tx,
  endToEndIds: readonly string[],
): Promise<void> {
  const returns = await findOpenReturns(tx, endToEndIds)
  if (returns.length === 0) return
  const credits = await findReturnable(tx, endToEndIds)
  const byId = new Map(credits.map((credit) => [credit.id, credit]))
  const decided = decideReturns(returns, credits)
  const returned = returns.flatMap(({ id: returnedBy, bookingDate }, index) => {
    const decision = decided[index]
    const credit = decision?.state === 'undone' ? byId.get(decision.creditId) : undefined
    return credit === undefined ? [] : [{ ...credit, returnedBy, returnedOn: bookingDate, updatedAt: tx.now }]
  })
  const matched = returned.filter(({ state }) => state === 'matched')
  const { undone } = await undoMatchesOf(ctx, tx, matched, returnOf)
  const isUndone = new Set(undone.map(({ id }) => id))
  await updateEntries(
    tx,
    returned.map((entry) => {
      const isOpenAgain = entry.state === 'suggested' || isUndone.has(entry.id)
      return isOpenAgain ? { ...entry, state: 'unmatched' as const, countedOn: null } : entry
    }),
  )
}

function returnOf({ returnedOn }: BankEntry, closed: string | null) {
  if (returnedOn === null) throw new Error('an entry without its return')
  return { note: `Returned by the bank on ${returnedOn}`, returnedOn: firstOpenDay(returnedOn, closed) }
}

import type { Instant } from '#kernel/clock'
import type { Money } from '#kernel/money'
import type { Tx } from '#platform/postgres/database'
import type { BankEntry } from '../model/bank-entry.ts'
import { findNewestOpenReturns, findOpenReturns, findReturnable } from '../storage/entry.repository.ts'
import { decideReturns } from './decide-returns.ts'

/** - `entryId`: The newest credit that it may have taken back. */
export interface AmbiguousReturn {
  readonly entryId: string
  readonly amount: Money
  readonly endToEndId: string
  readonly bookedOn: string
  readonly at: Instant
}

/** Finds returns after a time that fit credits of several payers and name no payer, oldest first. */
export async function ambiguousReturns(tx: Tx, after: Instant, limit: number): Promise<AmbiguousReturn[]> {
  const ids = new Set(
    (await findNewestOpenReturns(tx, after, limit)).flatMap(({ endToEndId }) => endToEndId ?? []),
  )
  const { returns, decided } = await decideOpenReturns(tx, [...ids])
  return returns.flatMap(({ amount, endToEndId, bookingDate, createdAt }, index): AmbiguousReturn[] => {
    const decision = decided[index]
    const entryId = decision?.state === 'ambiguous' ? decision.creditIds.at(-1) : undefined
    if (entryId === undefined) return []
    return [{ entryId, amount, endToEndId: endToEndId ?? '', bookedOn: bookingDate, at: createdAt }]
  })
}

/** Records that a person found the credit of a return that names no payer. */
export async function withItsReturn(
  tx: Tx,
  entry: BankEntry,
): Promise<BankEntry & { readonly returnedBy?: string }> {
  if (entry.returnedOn !== null || entry.endToEndId === null) return entry
  const { returns, decided } = await decideOpenReturns(tx, [entry.endToEndId])
  const index = decided.findIndex((one) => one.state === 'ambiguous' && one.creditIds.includes(entry.id))
  const found = returns[index]
  return found === undefined ? entry : { ...entry, returnedBy: found.id, returnedOn: found.bookingDate }
}

async function decideOpenReturns(tx: Tx, endToEndIds: readonly string[]) {
  const returns = await findOpenReturns(tx, endToEndIds)
  return { returns, decided: decideReturns(returns, await findReturnable(tx, endToEndIds)) }
}

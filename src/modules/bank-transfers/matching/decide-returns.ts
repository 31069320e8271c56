import type { Money } from '#kernel/money'
import type { StatementEntry } from '../model/statement-entry.ts'

export interface ReturnableCredit {
  readonly id: string
  readonly endToEndId: string | null
  readonly amount: Money
}

/**
 * The credit that each return undoes: the last of its end-to-end id and amount that no return before it took.
 * @param credits in the order in which they were booked
 */
export function decideReturns(
  returns: readonly StatementEntry[],
  credits: readonly ReturnableCredit[],
): (string | undefined)[] {
  const undone = new Set<string>()
  const byId = Map.groupBy(credits, ({ endToEndId }) => endToEndId)
  return returns.map(({ endToEndId, amount }) => {
    if (endToEndId === null) return undefined
    const credit = byId
      .get(endToEndId)
      ?.findLast(
        (one) => one.amount.currency === amount.currency && one.amount.equals(amount) && !undone.has(one.id),
      )
    if (credit !== undefined) undone.add(credit.id)
    return credit?.id
  })
}

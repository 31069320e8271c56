import type { Money } from '#kernel/money'

interface Transferred {
  readonly endToEndId: string | null
  readonly amount: Money
  readonly bookingDate: string
}

/**
 * The credit that each return undoes: the last of its end-to-end id and amount until its day that no return before it took.
 * @param credits in the order in which they were booked
 */
export function decideReturns(
  returns: readonly Transferred[],
  credits: readonly (Transferred & { readonly id: string })[],
): (string | undefined)[] {
  const undone = new Set<string>()
  const byId = Map.groupBy(credits, ({ endToEndId }) => endToEndId)
  return returns.map(({ endToEndId, amount, bookingDate }) => {
    if (endToEndId === null) return undefined
    const credit = byId
      .get(endToEndId)
      ?.findLast(
        (one) =>
          one.amount.currency === amount.currency &&
          one.amount.equals(amount) &&
          one.bookingDate <= bookingDate &&
          !undone.has(one.id),
      )
    if (credit !== undefined) undone.add(credit.id)
    return credit?.id
  })
}

import type { Returnable, Returned } from '../model/statement-entry.ts'
import { isNamed } from '../matching/named-invoices.ts'

/** The credit that a return undoes, or the credits of several payers if the return names none of them. */
export type ReturnDecision =
  | { readonly state: 'undone'; readonly creditId: string }
  | { readonly state: 'ambiguous'; readonly creditIds: readonly string[] }
  | { readonly state: 'unknown' }

/**
 * Decides which credit each return undoes: the payer's last one with its end-to-end id and amount, up to the day of
 * the return. Returns that name a payer are decided first, because they leave fewer payers for the others.
 * @param credits that no return has taken, in the order in which they were booked
 */
export function decideReturns(
  returns: readonly Returned[],
  credits: readonly Returnable[],
): ReturnDecision[] {
  const byId = Map.groupBy(credits, ({ endToEndId }) => endToEndId)
  const undone = new Set<string>()
  const candidatesOf = (one: Returned) =>
    one.endToEndId === null
      ? []
      : (byId.get(one.endToEndId) ?? []).filter((credit) => !undone.has(credit.id) && isAlike(credit, one))
  const take = (credit: Returnable): ReturnDecision => {
    undone.add(credit.id)
    return { state: 'undone', creditId: credit.id }
  }
  const named = returns.map((one) => {
    const credit = namedBy(one, candidatesOf(one)).at(-1)
    return credit && take(credit)
  })
  return returns.map((one, index) => named[index] ?? decideUnnamed(one, candidatesOf(one), take))
}

function isAlike(credit: Returnable, { amount, bookingDate }: Returned): boolean {
  return (
    credit.amount.currency === amount.currency &&
    credit.amount.equals(amount) &&
    credit.bookingDate <= bookingDate
  )
}

function namedBy(
  { returnedTo, bankReference, remittance }: Returned,
  candidates: readonly Returnable[],
): readonly Returnable[] {
  const ofIban = candidates.filter(({ debtorIban }) => debtorIban !== null && debtorIban === returnedTo)
  const possible = ofIban.length > 0 ? ofIban : candidates
  const ofReference = possible.filter(
    ({ bankReference: reference }) =>
      reference !== null && [bankReference ?? '', remittance].some((text) => isNamed(reference, text)),
  )
  return ofReference.length > 0 ? ofReference : ofIban
}

function decideUnnamed(
  { returnedTo }: Returned,
  candidates: readonly Returnable[],
  take: (credit: Returnable) => ReturnDecision,
): ReturnDecision {
  const possible = candidates.filter(({ debtorIban }) => returnedTo === null || debtorIban === null)
  const last = possible.at(-1)
  if (last === undefined) return { state: 'unknown' }
  const payers = new Set(
    possible.map(({ debtorIban, debtorName, remittance }) => debtorIban ?? debtorName ?? remittance),
  )
  if (payers.size > 1) return { state: 'ambiguous', creditIds: possible.map(({ id }) => id) }
  return take(last)
}

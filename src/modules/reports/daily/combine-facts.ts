import type { Fact } from './fact.ts'

/** Offsets of time zones are multiples of it, so all of one quarter of an hour is the same day everywhere. */
const QUARTER_HOUR_MS = 15 * 60_000

export function combineFacts(facts: readonly Fact[]): Fact[] {
  const combined = new Map<string, Fact>()
  for (const fact of facts) {
    const { currency, dayAt, declineCode } = fact
    const quarter = Math.floor(dayAt.epochMilliseconds / QUARTER_HOUR_MS)
    const key = `${currency} ${quarter} ${declineCode}`
    const sum = combined.get(key)
    combined.set(key, sum === undefined ? fact : plus(sum, fact))
  }
  return [...combined.values()]
}

function plus(sum: Fact, fact: Fact): Fact {
  return {
    ...sum,
    paid: sum.paid + fact.paid,
    refunded: sum.refunded + fact.refunded,
    ordersPaid: sum.ordersPaid + fact.ordersPaid,
    approved: sum.approved + fact.approved,
    declined: sum.declined + fact.declined,
    declinedAmount: sum.declinedAmount + fact.declinedAmount,
    recurringPaid: sum.recurringPaid + fact.recurringPaid,
    dunningRecovered: sum.dunningRecovered + fact.dunningRecovered,
    dunningAttempted: sum.dunningAttempted + fact.dunningAttempted,
  }
}

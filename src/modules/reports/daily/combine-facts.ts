import { MINUTE_MS } from '#kernel/time-units'
import { type Fact, plusMeasures } from '../model/fact.ts'

/** Offsets of time zones are multiples of it, so each quarter of an hour lies within one day in every zone. */
const QUARTER_HOUR_MS = 15 * MINUTE_MS

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
  return { ...plusMeasures(sum, fact), declinedAmount: sum.declinedAmount + fact.declinedAmount }
}

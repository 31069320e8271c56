import type { WeightedAccount } from '../model/rule.ts'

export type Lags = Map<string, number>

/**
 * Smooth weighted round robin, as nginx does it: each account gains its weight, and the one that lags most is chosen and
 * pays the sum. Over n choices an account's share differs from n × weight ÷ sum by less than the number of accounts.
 * @param accounts at least one
 */
export function peekByWeight(lags: Lags, accounts: readonly WeightedAccount[]): WeightedAccount | undefined {
  let chosen: WeightedAccount | undefined
  let longest = -Infinity
  for (const account of accounts) {
    const lag = (lags.get(account.id) ?? 0) + account.weight
    if (lag <= longest) continue
    chosen = account
    longest = lag
  }
  return chosen
}

export function takeByWeight(lags: Lags, accounts: readonly WeightedAccount[]): WeightedAccount | undefined {
  const chosen = peekByWeight(lags, accounts)
  if (chosen === undefined) return undefined
  let sum = 0
  for (const { id, weight } of accounts) {
    lags.set(id, (lags.get(id) ?? 0) + weight)
    sum += weight
  }
  lags.set(chosen.id, (lags.get(chosen.id) ?? 0) - sum)
  return chosen
}

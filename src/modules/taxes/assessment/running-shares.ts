import { Money, sumMoney } from '#kernel/money'

/** Shares an amount by weights. The sum of the first n shares is always their exact part, rounded. */
export function runningShares(amount: Money, weights: readonly Money[]): Money[] {
  const whole = sumMoney(amount.currency, weights).minor
  let weight = 0n
  let shared = Money.zero(amount.currency)
  return weights.map(({ minor }) => {
    weight += minor
    const until = whole === 0n ? shared : amount.prorate(weight, whole)
    const share = until.minus(shared)
    shared = until
    return share
  })
}

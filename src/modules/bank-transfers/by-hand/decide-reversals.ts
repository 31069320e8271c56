import type { Money } from '#kernel/money'
import type { WriteOff } from '../model/write-off.ts'

/**
 * Reverses the newest write-offs of an order first, until no more than `writtenOff` stands. Those of an undone or returned match
 * ended with it, and do not stand.
 * @param standing oldest first
 */
export function decideReversals(standing: readonly WriteOff[], writtenOff: Money): Omit<WriteOff, 'id'>[] {
  let left = standing.reduce((sum, { amount }) => sum.plus(amount), writtenOff.negated())
  return standing.toReversed().flatMap((one) => {
    const part = one.amount.lessThan(left) ? one.amount : left
    if (!part.isPositive()) return []
    left = left.minus(part)
    return { ...one, amount: part.negated(), reason: '' }
  })
}

import { type Money, sumMoney } from '#kernel/money'

export interface CreditableLine {
  readonly id: string
  readonly total: Money
  readonly tax: Money
  readonly credited: Money
  readonly creditedTax: Money
}

export interface CreditedLine {
  readonly lineId: string
  readonly total: Money
  readonly tax: Money
}

export interface LineAmount {
  readonly lineId: string
  readonly amount: Money
}

export function leftOf({ total, credited }: Pick<CreditableLine, 'total' | 'credited'>): Money {
  return total.minus(credited)
}

/**
 * Shares an amount over the lines in proportion to what is left of each, as running shares. The amount is at most what is left
 * of all lines. If it is exactly that, each line gets all of its rest.
 */
export function shareOverLines(lines: readonly CreditableLine[], amount: Money): LineAmount[] {
  const whole = sumMoney(amount.currency, lines.map(leftOf)).minor
  let weight = 0n
  let shared = sumMoney(amount.currency, [])
  return lines.map((line) => {
    weight += leftOf(line).minor
    const until = whole === 0n ? shared : amount.prorate(weight, whole)
    const share = until.minus(shared)
    shared = until
    return { lineId: line.id, amount: share }
  })
}

/** A line's tax is a running share over its notes, so that all notes together equal the invoice. Leaves out lines without an amount. */
export function creditLines(
  lines: readonly CreditableLine[],
  amounts: readonly LineAmount[],
): CreditedLine[] {
  const byLine = new Map(lines.map((line) => [line.id, line]))
  return amounts.flatMap(({ lineId, amount }) => {
    const line = byLine.get(lineId)
    if (line === undefined || amount.isZero()) return []
    return [{ lineId, total: amount, tax: taxOf(line, amount) }]
  })
}

function taxOf({ total, tax, credited, creditedTax }: CreditableLine, amount: Money): Money {
  if (total.isZero()) return tax.minus(creditedTax)
  return tax.prorate(credited.plus(amount).minor, total.minor).minus(creditedTax)
}

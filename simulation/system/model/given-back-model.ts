/**
 * What an order of a plan received and returned.
 * - `used`: What it used of the credit of the plan.
 * - `gave`, `noted`: What it added to the credit of the plan, by its own lines and by its notes.
 */
export interface GivingOrder {
  readonly number: string
  readonly isOfChange: boolean
  readonly paid: bigint
  readonly refunded: bigint
  readonly used: bigint
  readonly gave: bigint
  readonly noted: bigint
}

/**
 * - `shown`: The credit of the plan.
 * - `wasUndone`: Whether a payment was undone or an order voided, which takes back what the order gave.
 */
export interface PlanCredit {
  readonly shown: bigint
  readonly wasUndone: boolean
}

/**
 * The credit of a plan is what was given less what was used. Only an undone payment takes some of it back, and never
 * more than there is.
 */
export function creditOf(orders: readonly GivingOrder[], { shown, wasUndone }: PlanCredit): string[] {
  const left = leftOf(orders)
  const isRight = wasUndone ? shown <= left : shown === left
  return isRight && shown >= 0n
    ? []
    : [`the credit is ${shown}, expected ${left}${wasUndone ? ' or less' : ''}`]
}

/**
 * No order returns more than was paid, over all ways together. The orders of one period pay for each other, because
 * a change takes over what was paid before it. Credit that was spent before its payment was undone is missing.
 */
export function overGiven(orders: readonly GivingOrder[], { shown, wasUndone }: PlanCredit): string[] {
  const spent = wasUndone ? leftOf(orders) - shown + sum(orders, ({ used }) => used) : 0n
  const periods: GivingOrder[][] = []
  for (const order of orders) {
    const period = periods.at(-1)
    if (order.isOfChange && period !== undefined) period.push(order)
    else periods.push([order])
  }
  const over = (some: readonly GivingOrder[], gave: (order: GivingOrder) => bigint): bigint =>
    sum(some, (order) => gave(order) + order.noted + order.refunded - order.paid - order.used)
  const ofOrders = orders.flatMap((order) => {
    const excess = over([order], () => 0n)
    return excess > spent ? [`of ${order.number} ${excess} more were given back than paid`] : []
  })
  const ofPeriods = periods.flatMap((period) => {
    const excess = over(period, ({ gave }) => gave)
    if (excess <= spent) return []
    return [`of the period of ${period[0]?.number} ${excess} more were given back than paid`]
  })
  return [...ofOrders, ...ofPeriods]
}

function leftOf(orders: readonly GivingOrder[]): bigint {
  return sum(orders, ({ gave, noted, used }) => gave + noted - used)
}

function sum(orders: readonly GivingOrder[], amountOf: (order: GivingOrder) => bigint): bigint {
  return orders.reduce((total, order) => total + amountOf(order), 0n)
}

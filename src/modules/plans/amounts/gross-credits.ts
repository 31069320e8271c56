import { Money } from '#kernel/money'
import { assessTaxes, type TaxableLine, taxOn } from '#modules/taxes'
import type { CycleItem } from '#modules/catalogue'
import type { BilledPart } from '../model/plan-change.ts'
import type { PlanAggregate } from '../model/plan.ts'

/** Adds to credits the tax that was billed on them. As for the order's own tax, all credits of one order are rounded together. */
export class GrossCredits {
  readonly #lines = new Map<string, TaxableLine[]>()
  readonly #taxes = new Map<string, Money>()
  readonly #rounding

  constructor({ taxGround }: Pick<PlanAggregate, 'taxGround'>) {
    this.#rounding = taxGround?.seller.taxRounding ?? 'document'
  }

  add({ orderId, taxedAs }: BilledPart, { item: { taxBehavior } }: CycleItem, amount: Money): Money {
    if (taxedAs === undefined || taxBehavior === 'inclusive') return amount
    const { currency } = amount
    const lines = [...(this.#lines.get(orderId ?? '') ?? []), { amount, taxedAs }]
    const rules = { behavior: taxBehavior, rounding: this.#rounding, currency }
    const tax = assessTaxes(lines, rules).order.total
    const before = this.#taxes.get(orderId ?? '') ?? Money.zero(currency)
    this.#lines.set(orderId ?? '', lines)
    this.#taxes.set(orderId ?? '', tax)
    return amount.plus(tax.minus(before))
  }
}

export function netOfGross(gross: Money, { taxedAs }: BilledPart, { item }: CycleItem): Money {
  if (taxedAs === undefined || item.taxBehavior === 'inclusive') return gross
  return gross.minus(taxOn(gross, taxedAs, 'inclusive'))
}

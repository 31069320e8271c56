import { type Instant, rfc3339OrNull } from '#kernel/clock'
import { decimal, decimalToString } from '#kernel/decimal'
import { memoize } from '#kernel/memoize'
import { Money } from '#kernel/money'
import type { BillingConfigRecord, Discount } from '#modules/catalogue'
import { composed, table } from '#platform/postgres/table'
import type { Cycle } from '../model/plan.ts'

/** A discount is in the currency of its plan, and a billing config is a row of its own. */
interface StoredCycle extends Omit<Cycle, 'config' | 'discount'> {
  readonly billingConfigId: string
  readonly discountType: Discount['type'] | null
  readonly discountMinor: bigint | null
  readonly discountRate: string | null
}

const dateOf = memoize((text: string) => Temporal.PlainDate.from(text))

export const CYCLES = table<StoredCycle>('c', {
  planId: 'text',
  position: 'integer',
  id: 'text',
  state: 'text',
  billingCount: 'integer',
  ordersCreated: 'integer',
  billingConfigId: 'text',
  discountType: 'text',
  discountMinor: 'numeric',
  discountRate: 'text',
  description: 'text',
  start: composed(
    ['start_at', 'start_date', 'anchor_day'],
    (at: Instant | null, date: string | null, anchorDay: number | null) =>
      at === null || date === null || anchorDay === null ? null : { at, date: dateOf(date), anchorDay },
    {
      start_at: ['timestamptz', (start) => rfc3339OrNull(start?.at)],
      start_date: ['date', (start) => start?.date.toString() ?? null],
      anchor_day: ['integer', (start) => start?.anchorDay ?? null],
    },
  ),
  nextPeriod: 'integer',
  endAt: 'timestamptz',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
})

export const READ_CYCLES = CYCLES.without('billingConfigId')

export function storedCycle({ config, discount, ...cycle }: Cycle): StoredCycle {
  return {
    ...cycle,
    billingConfigId: config.id,
    discountType: discount?.type ?? null,
    discountMinor: discount?.type === 'fixed_amount' ? discount.amount.minor : null,
    discountRate: discount?.type === 'percentage' ? decimalToString(discount.rate) : null,
  }
}

/** @param row with the columns of `READ_CYCLES` */
export function readCycle(row: object, config: BillingConfigRecord, currency: string): Cycle {
  const { discountType, discountMinor, discountRate, ...cycle } = READ_CYCLES.read(row)
  return { ...cycle, config, discount: discountOf(discountType, discountMinor, discountRate, currency) }
}

function discountOf(
  type: Discount['type'] | null,
  minor: bigint | null,
  rate: string | null,
  currency: string,
): Discount | null {
  if (type === null) return null
  return type === 'fixed_amount'
    ? { type, amount: Money.ofMinor(currency, minor ?? 0n) }
    : { type, rate: decimal(rate ?? '0') }
}

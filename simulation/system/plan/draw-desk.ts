import type { Random } from '../../random.ts'
import { SERIES, type SeriesKey } from './draw-invoices.ts'

const METHODS = ['cash', 'cheque', 'bank_transfer', 'other'] as const

/**
 * What a bookkeeper does with a sent invoice. A percentage is of what is due, and without anything due of the invoice.
 * - `pay`: By hand. Without a percentage what is due.
 * - `undo`: The newest payment or repayment.
 * - `repay`, `move`: All that is over-paid, back to the payer or to the credit of a plan.
 * - `reissue`: To a customer who is then exempt from tax, or not.
 */
export type DeskStep =
  | {
      readonly do: 'pay'
      readonly percent?: number
      readonly method: (typeof METHODS)[number]
      readonly hasFee: boolean
    }
  | { readonly do: 'undo'; readonly of: 'payment' | 'repayment' }
  | { readonly do: 'repay' }
  | { readonly do: 'move' }
  | { readonly do: 'write_off'; readonly percent?: number }
  | { readonly do: 'note'; readonly percent: number }
  | { readonly do: 'reissue'; readonly isExempt: boolean }

export interface DeskLife {
  readonly name: string
  readonly atMs: number
  readonly series: SeriesKey
  /** Others than that of the seller need an exchange rate. */
  readonly currency: 'HKD' | 'USD' | 'JPY'
  readonly linesMinor: readonly number[]
  readonly isDraftFirst: boolean
  readonly steps: readonly DeskStep[]
}

const MAX_STEPS = 9
const MAX_LINE_MINOR = 900_000

export function drawDesk(
  random: Random,
  prefix: string,
  { orders, roundMs }: { readonly orders: number; readonly roundMs: number },
): DeskLife[] {
  return Array.from({ length: Math.ceil(orders / 6) }, (_, index) => ({
    name: `${prefix}d${index}`,
    atMs: random.whole(0, roundMs),
    series: random.pick<(typeof SERIES)[number]>(SERIES).key,
    currency: random.pick(['HKD', 'HKD', 'USD', 'JPY'] as const),
    linesMinor: Array.from({ length: random.whole(1, 3) }, () => random.whole(1_000, MAX_LINE_MINOR)),
    isDraftFirst: random.chance(0.3),
    steps: Array.from({ length: random.whole(1, MAX_STEPS) }, () => drawStep(random)),
  }))
}

function drawStep(random: Random): DeskStep {
  const whole = random.chance(0.4)
  const percent = random.whole(1, 150)
  return random.pick<() => DeskStep>([
    () => pay(random, whole ? {} : { percent }),
    () => pay(random, whole ? {} : { percent }),
    () => pay(random, { percent }),
    () => ({ do: 'undo', of: random.pick(['payment', 'repayment'] as const) }),
    () => ({ do: 'repay' }),
    () => ({ do: 'move' }),
    () => ({ do: 'write_off', ...(!whole && { percent: random.whole(1, 100) }) }),
    () => ({ do: 'note', percent: random.whole(10, 100) }),
    () => ({ do: 'reissue', isExempt: random.chance(0.5) }),
    () => ({ do: 'reissue', isExempt: true }),
  ])()
}

function pay(random: Random, amount: { readonly percent?: number }): DeskStep {
  return { do: 'pay', ...amount, method: random.pick(METHODS), hasFee: random.chance(0.2) }
}

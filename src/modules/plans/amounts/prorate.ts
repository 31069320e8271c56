import type { Instant } from '#kernel/clock'
import type { Money } from '#kernel/money'
import { localDateOf, type TimeZone } from '#kernel/time-zone'

export const PRORATION_UNITS = ['day', 'second'] as const
export type ProrationUnit = (typeof PRORATION_UNITS)[number]

/**
 * The length of a part of a period (reference/billing-changes#proration): local days, in which the first counts and the
 * last does not, or elapsed milliseconds.
 */
export function lengthOf(from: Instant, to: Instant, unit: ProrationUnit, zone: TimeZone): number {
  if (unit === 'second') return Math.max(0, to.epochMilliseconds - from.epochMilliseconds)
  return Math.max(0, localDateOf(from, zone).until(localDateOf(to, zone)).days)
}

/** Rounds once, half away from zero. Of a whole of 0 the part is 0. */
export function partOf(amount: Money, part: number, whole: number): Money {
  return whole === 0 ? amount.times(0n) : amount.prorate(BigInt(part), BigInt(whole))
}

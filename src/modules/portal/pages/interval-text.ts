import type { Language } from '#modules/checkout'
import type { IntervalResponse } from './responses.ts'

/** These languages put a counter between number and noun, as in 1 個月, so the unit of a number is not the noun. */
const WITH_COUNTERS: ReadonlySet<string> = new Set(['ja', 'ko', 'zh-Hans', 'zh-Hant'])

/** What follows the slash of a price: "month" in "HKD 10.00 / month", "3 months" for a quarter. */
export function intervalText(
  language: Language,
  { billing_interval: interval, interval_count: count }: IntervalResponse,
): string {
  const format = new Intl.NumberFormat(language, { style: 'unit', unit: interval, unitDisplay: 'long' })
  if (count > 1) return format.format(count)
  if (WITH_COUNTERS.has(language)) {
    const names = new Intl.DisplayNames(language, { type: 'dateTimeField' })
    return names.of(interval === 'week' ? 'weekOfYear' : interval) ?? interval
  }
  return format.formatToParts(1).find(({ type }) => type === 'unit')?.value ?? interval
}

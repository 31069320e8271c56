import type { Instant } from '#kernel/clock'
import { instantOfLocal } from '#kernel/time-zone'

const PATTERN = /^(\d{4}-\d{2}-\d{2}) ((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)$/

export function parseHongKongTime(text: string): Instant | undefined {
  const [, date, time] = PATTERN.exec(text) ?? []
  if (date === undefined || time === undefined || date < '0001-01-03') return undefined
  try {
    return instantOfLocal(
      Temporal.PlainDate.from(date, { overflow: 'reject' }),
      Temporal.PlainTime.from(time),
      'Asia/Hong_Kong',
    )
  } catch {
    return undefined
  }
}

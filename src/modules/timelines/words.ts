import type { Instant } from '#kernel/clock'
import type { Money } from '#kernel/money'
import type { TimeZone } from '#kernel/time-zone'

export function moneyText(money: Money): string {
  return `${money.currency} ${money.toString()}`
}

export function timeText(at: Instant, zone: TimeZone): string {
  const local = at.toZonedDateTimeISO(zone)
  return `${local.toPlainDate().toString()} ${local.toPlainTime().toString({ smallestUnit: 'minute' })}`
}

import { isCurrency } from '#kernel/currencies'
import { Money, readMoney } from '#kernel/money'
import { moneyText } from '#platform/documents/money-text'
import type { PortalRequest } from './page-request.ts'
import type { Amount, CycleResponse, PlanResponse } from './responses.ts'

/** The cycle that a plan is in, or is to begin with. */
export function currentCycle({ recurring_cycles: cycles, state }: PlanResponse): CycleResponse | undefined {
  return cycles.findLast((cycle) => cycle.state === state) ?? cycles[0]
}

function money(currency: string, amount: Amount): Money {
  if (!isCurrency(currency)) throw new Error('the API returned an unknown currency')
  return readMoney(currency, amount, 'amount', (param, rule) => new Error(`${param} ${rule}`))
}

export function moneyOf(currency: string, amount: Amount): string {
  return moneyText(money(currency, amount))
}

/** The number as the API wrote it, for a form that sends it back. */
export function numeralOf(amount: Amount): string {
  return typeof amount === 'number' ? String(amount) : amount.source
}

export function isZero(currency: string, amount: Amount): boolean {
  return money(currency, amount).equals(Money.zero(currency))
}

export function dateText({ language, zone }: Pick<PortalRequest, 'language' | 'zone'>, time: string): string {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: zone })
  return format.format(Temporal.Instant.from(time).epochMilliseconds)
}

/** Of a date without a time. */
export function dayText({ language }: Pick<PortalRequest, 'language'>, date: string): string {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' })
  return format.format(Temporal.Instant.from(`${date}T00:00:00Z`).epochMilliseconds)
}

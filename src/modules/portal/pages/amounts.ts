import { isCurrency } from '#kernel/currencies'
import { Money, readMoney } from '#kernel/money'
import { moneyOnPage, payerFiguresOf } from '#platform/documents/payer-figures'
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

/** An amount of the API in the language of the page. */
export function moneyOf(
  { language }: Pick<PortalRequest, 'language'>,
  currency: string,
  amount: Amount,
): string {
  return moneyOnPage(language, money(currency, amount))
}

/** The number as the API wrote it, for a form that sends it back. */
export function numeralOf(amount: Amount): string {
  return typeof amount === 'number' ? String(amount) : amount.source
}

export function isZero(currency: string, amount: Amount): boolean {
  return money(currency, amount).equals(Money.zero(currency))
}

export function dateText({ language, zone }: Pick<PortalRequest, 'language' | 'zone'>, time: string): string {
  return payerFiguresOf(language).dateAt(Temporal.Instant.from(time), zone)
}

/** Of a date without a time. */
export function dayText({ language }: Pick<PortalRequest, 'language'>, date: string): string {
  return payerFiguresOf(language).date(date)
}

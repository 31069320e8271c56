import type { Instant } from '#kernel/clock'
import { newId } from '#kernel/ids'
import { errors } from '../errors.ts'
import type { Card } from '../model/card.ts'
import type { CardLimit } from '../model/limit.ts'
import type { NewLimit } from '../model/requests.ts'
import { parseLimitAmount } from './amounts.ts'

export function newLimit(card: Card, limit: NewLimit, param: string, at: Instant): CardLimit {
  return {
    id: newId('lim'),
    cardId: card.id,
    period: limit.period,
    amountMinor: parseLimitAmount(card.currency, limit.limit_amount, `${param}.limit_amount`),
    status: limit.status ?? 'Active',
    effectiveSince: at,
  }
}

export function requireDistinctPeriods(
  limits: readonly { readonly period: string }[] | undefined,
  param: string,
): void {
  const seen = new Set<string>()
  for (const [index, { period }] of (limits ?? []).entries()) {
    if (seen.has(period)) throw errors.card_period_named_twice({ param: `${param}[${index}].period` })
    seen.add(period)
  }
}

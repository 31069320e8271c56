import { isCurrency, minorDigits } from '#kernel/currencies'
import {
  compareDecimals,
  type Decimal,
  decimalToString,
  isDecimalProblem,
  parseDecimal,
} from '#kernel/decimal'
import type { ExactNumber } from '#kernel/json'
import type { Refused } from '#kernel/refusal'
import type { RoutingRule, RuleCondition } from '../model/rule.ts'
import type { NewRule } from './routing-requests.ts'

type Amount = number | ExactNumber
type InvalidRule = Refused<'routing_invalid'>

const ANY_CURRENCY = { beforePoint: 15, afterPoint: 4 }

/** @param path the member of the request that has the rule, such as `routing.rules[0]` */
export function decideRule(
  { when = {}, accounts, by, fallback = [] }: NewRule,
  path: string,
): RoutingRule | InvalidRule {
  const ids = accounts.map(({ id }) => id)
  const repeated =
    refuseRepeated(ids, (index) => `${path}.accounts[${index}].id`) ??
    refuseRepeated(fallback, (index) => `${path}.fallback[${index}]`)
  if (repeated !== null) return repeated
  const condition = decideCondition(when, `${path}.when`)
  if ('refused' in condition) return condition
  return {
    when: condition,
    accounts: accounts.map(({ id, weight }) => ({ id, weight: weight ?? 1 })),
    ...(by !== undefined && { by }),
    fallback,
  }
}

/** @param known ids of the accounts that a rule may name */
export function refuseUnknownAccounts(
  { accounts, fallback }: RoutingRule,
  known: ReadonlySet<string>,
  path: string,
): InvalidRule | null {
  const named = [
    ...accounts.map(({ id }, index) => ({ id, param: `${path}.accounts[${index}].id` })),
    ...fallback.map((id, index) => ({ id, param: `${path}.fallback[${index}]` })),
  ]
  const unknown = named.find(({ id }) => !known.has(id))
  return unknown === undefined ? null : invalid(unknown.param, 'must be the id of an acquirer account')
}

/** @param rule what the member must be, such as `must not be negative` */
export function invalid(param: string, rule: string): InvalidRule {
  return { refused: 'routing_invalid', param, message: `${param} ${rule}.` }
}

function decideCondition(given: NonNullable<NewRule['when']>, path: string): RuleCondition | InvalidRule {
  const { min_amount: min, max_amount: max, currency, brand, country, payment_method, source } = given
  if (currency !== undefined && !isCurrency(currency)) {
    return invalid(`${path}.currency`, 'must be an ISO 4217 currency')
  }
  const lowest = decideLimit(min, currency, `${path}.min_amount`)
  if (lowest !== undefined && 'refused' in lowest) return lowest
  const highest = decideLimit(max, currency, `${path}.max_amount`)
  if (highest !== undefined && 'refused' in highest) return highest
  if (lowest !== undefined && highest !== undefined && compareDecimals(lowest, highest) > 0) {
    return invalid(`${path}.min_amount`, 'must not be above max_amount')
  }
  return {
    ...(currency !== undefined && { currency }),
    ...(lowest !== undefined && { min_amount: decimalToString(lowest) }),
    ...(highest !== undefined && { max_amount: decimalToString(highest) }),
    ...(brand !== undefined && { brand }),
    ...(country !== undefined && { country }),
    ...(payment_method !== undefined && { payment_method }),
    ...(source !== undefined && { source }),
  }
}

function decideLimit(
  value: Amount | undefined,
  currency: string | undefined,
  param: string,
): Decimal | undefined | InvalidRule {
  if (value === undefined) return undefined
  const bounds =
    currency === undefined ? ANY_CURRENCY : { ...ANY_CURRENCY, afterPoint: minorDigits(currency) }
  const limit = parseDecimal(value, bounds)
  if (isDecimalProblem(limit)) return invalid(param, limit.message)
  return limit.unscaled < 0n ? invalid(param, 'must not be negative') : limit
}

function refuseRepeated(ids: readonly string[], paramOf: (index: number) => string): InvalidRule | null {
  const repeated = ids.findIndex((id, index) => ids.indexOf(id) !== index)
  return repeated < 0 ? null : invalid(paramOf(repeated), 'must not be named twice in one list')
}

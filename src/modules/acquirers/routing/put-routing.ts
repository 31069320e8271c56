import { isCurrency, minorDigits } from '#kernel/currencies'
import {
  compareDecimals,
  type Decimal,
  decimalToString,
  isDecimalProblem,
  parseDecimal,
} from '#kernel/decimal'
import type { ExactNumber } from '#kernel/json'
import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import { type AcquirersContext, changing } from '../context.ts'
import type { AcquirersDependencies } from '../dependencies.ts'
import { errors } from '../errors.ts'
import { accountIds } from '../storage/account.repository.ts'
import { findRouting, replaceRouting, type Routing } from '../storage/routing.repository.ts'
import { SIMULATOR_ACCOUNT } from '../model/router.ts'
import type { RoutingRule, RuleCondition } from '../model/rule.ts'
import type { NewRule } from './routing-requests.ts'

type Amount = number | ExactNumber

const ANY_CURRENCY = { beforePoint: 15, afterPoint: 4 }

export function putRouting(
  ctx: AcquirersContext,
  caller: Caller,
  given: readonly NewRule[],
): Promise<Routing> {
  return changing(ctx, caller, async () => {
    const rules = given.map((rule, index) => readRule(rule, `routing.rules[${index}]`))
    return once(ctx.db, caller, async (tx) => {
      const known = await accountIds(tx)
      if (caller.environment === 'test') known.add(SIMULATOR_ACCOUNT)
      rules.forEach((rule, index) => requireKnown(rule, known, `routing.rules[${index}]`))
      return replaceRouting(tx, rules)
    })
  })
}

export function getRouting(
  { db }: AcquirersDependencies,
  { businessId }: Caller,
): Promise<Routing | undefined> {
  return findRouting(db, businessId)
}

function readRule({ when, accounts, by, fallback }: NewRule, path: string): RoutingRule {
  requireDistinct(
    accounts.map(({ id }) => id),
    (index) => `${path}.accounts[${index}].id`,
  )
  requireDistinct(fallback ?? [], (index) => `${path}.fallback[${index}]`)
  return {
    when: when === undefined ? {} : readCondition(when, `${path}.when`),
    accounts: accounts.map(({ id, weight }) => ({ id, weight: weight ?? 1 })),
    ...(by !== undefined && { by }),
    fallback: fallback ?? [],
  }
}

function readCondition(given: NonNullable<NewRule['when']>, path: string): RuleCondition {
  const { min_amount: min, max_amount: max, currency, brand, country, payment_method, source } = given
  if (currency !== undefined && !isCurrency(currency)) {
    throw invalid(`${path}.currency`, 'must be an ISO 4217 currency')
  }
  const lowest = readLimit(min, currency, `${path}.min_amount`)
  const highest = readLimit(max, currency, `${path}.max_amount`)
  if (lowest !== undefined && highest !== undefined && compareDecimals(lowest, highest) > 0) {
    throw invalid(`${path}.min_amount`, 'must not be above max_amount')
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

function readLimit(
  value: Amount | undefined,
  currency: string | undefined,
  param: string,
): Decimal | undefined {
  if (value === undefined) return undefined
  const bounds =
    currency === undefined ? ANY_CURRENCY : { ...ANY_CURRENCY, afterPoint: minorDigits(currency) }
  const limit = parseDecimal(value, bounds)
  if (isDecimalProblem(limit)) throw invalid(param, limit.message)
  if (limit.unscaled < 0n) throw invalid(param, 'must not be negative')
  return limit
}

function requireDistinct(ids: readonly string[], paramOf: (index: number) => string): void {
  const repeated = ids.findIndex((id, index) => ids.indexOf(id) !== index)
  if (repeated >= 0) throw invalid(paramOf(repeated), 'must not be named twice in one list')
}

function requireKnown({ accounts, fallback }: RoutingRule, known: ReadonlySet<string>, path: string): void {
  const check = (id: string, param: string) => {
    if (!known.has(id)) throw invalid(param, 'must be the id of an acquirer account')
  }
  accounts.forEach(({ id }, index) => check(id, `${path}.accounts[${index}].id`))
  fallback.forEach((id, index) => check(id, `${path}.fallback[${index}]`))
}

export function invalid(param: string, rule: string): Error {
  return errors.routing_invalid({ param, message: `${param} ${rule}.` })
}

import { minorDigits } from '#kernel/currencies'
import { compareDecimals, decimal, type Decimal } from '#kernel/decimal'
import type { Money } from '#kernel/money'
import type { RoutingQuestion } from './router.ts'

export const SOURCES = ['recurring', 'one_off'] as const
export const CHOICES = ['success_rate'] as const
/** The bound of reference/acquirers#routing. */
export const MAX_RULES = 100
export const MAX_RULE_ACCOUNTS = 50
export const MAX_WEIGHT = 1_000_000

export interface RoutingRule {
  readonly when: RuleCondition
  readonly accounts: readonly WeightedAccount[]
  readonly by?: (typeof CHOICES)[number]
  readonly fallback: readonly string[]
}

export interface RuleCondition {
  readonly currency?: string
  readonly min_amount?: string
  readonly max_amount?: string
  readonly brand?: string
  readonly country?: string
  readonly payment_method?: RoutingQuestion['paymentMethod']
  readonly source?: RoutingQuestion['source']
}

export interface WeightedAccount {
  readonly id: string
  readonly weight: number
}

export type RuleQuestion = Pick<RoutingQuestion, 'amount' | 'brand' | 'country' | 'paymentMethod' | 'source'>

export function ruleMatches({ when }: RoutingRule, question: RuleQuestion): boolean {
  const amount = amountOf(question.amount)
  return (
    isAbsentOr(when.currency, question.amount.currency) &&
    (when.min_amount === undefined || compareDecimals(amount, decimal(when.min_amount)) >= 0) &&
    (when.max_amount === undefined || compareDecimals(amount, decimal(when.max_amount)) <= 0) &&
    isAbsentOr(when.brand?.toLowerCase(), question.brand?.toLowerCase()) &&
    isAbsentOr(when.country, question.country) &&
    isAbsentOr(when.payment_method, question.paymentMethod) &&
    isAbsentOr(when.source, question.source)
  )
}

function isAbsentOr<Value>(wanted: Value | undefined, value: Value | null | undefined): boolean {
  return wanted === undefined || wanted === value
}

function amountOf({ minor, currency }: Money): Decimal {
  return { unscaled: minor, scale: minorDigits(currency) }
}

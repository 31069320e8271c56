import type { AcquirerAccount } from '../model/account.ts'
import type { RoutingQuestion } from '../model/router.ts'
import type { Wallets } from '../port/adapter.ts'
import { methodCurrencies } from '../model/wallets.ts'
import { type RoutingRule, ruleMatches, type WeightedAccount } from '../model/rule.ts'

export type RouteQuestion = Omit<RoutingQuestion, 'instrument'> & {
  readonly instrument: RoutingQuestion['instrument'] | 'any'
}

export type RoutableAccount = Pick<
  AcquirerAccount,
  'id' | 'state' | 'methods' | 'currencies' | 'rawCardNumbers'
> & { readonly wallets?: Wallets; readonly needsSecurityCode?: boolean }

export interface Candidate {
  readonly id: string
  readonly leftOut: string | null
}

export interface RouteDecision {
  readonly rule: number | null
  readonly account: string | null
  readonly fallback: readonly string[]
  readonly candidates: readonly Candidate[]
}

export type ChooseAccount = (index: number, rule: RoutingRule, able: readonly WeightedAccount[]) => string

/**
 * The first rule that matches and has an account that can take the payment decides. If all its accounts are left out,
 * its first usable fallback takes their place. Without such a rule the oldest usable account is chosen, without
 * fallbacks, because nobody asked for another try.
 * @param accounts oldest first; the simulator of a test environment last
 */
export function decideRoute(
  accounts: readonly RoutableAccount[],
  rules: readonly RoutingRule[],
  question: RouteQuestion,
  choose: ChooseAccount,
): RouteDecision {
  const candidates = accounts.map((account) => ({ id: account.id, leftOut: whyLeftOut(account, question) }))
  const able = new Set(candidates.filter(({ leftOut }) => leftOut === null).map(({ id }) => id))
  for (const [index, rule] of rules.entries()) {
    if (!ruleMatches(rule, question)) continue
    const ableOfRule = rule.accounts.filter(({ id }) => able.has(id))
    const fallback = rule.fallback.filter((id) => able.has(id))
    const account = ableOfRule.length > 0 ? choose(index, rule, ableOfRule) : fallback[0]
    if (account === undefined) continue
    return { rule: index, account, fallback: fallback.filter((id) => id !== account), candidates }
  }
  const [oldest] = able
  return { rule: null, account: oldest ?? null, fallback: [], candidates }
}

function whyLeftOut(account: RoutableAccount, question: RouteQuestion): string | null {
  const { amount, instrument, boundTo, paymentMethod } = question
  if (instrument === 'bound' && boundTo !== account.id) return 'the instrument is bound to another account'
  if (account.state !== 'active') return 'it is disabled'
  if (account.currencies.length > 0 && !account.currencies.includes(amount.currency)) {
    return `it does not take ${amount.currency}`
  }
  if (!takesMethod(account, question)) return `it does not take ${paymentMethod}`
  const currencies = methodCurrencies(paymentMethod, account.wallets)
  if (currencies !== null && !currencies.includes(amount.currency)) {
    return `its ${paymentMethod} does not take ${amount.currency}`
  }
  if (instrument === 'card' && !account.rawCardNumbers && boundTo !== account.id) {
    return 'it does not take raw card numbers'
  }
  if (instrument === 'card' && paymentMethod === 'payment_token' && lacksCode(account, question)) {
    return 'it asks for the security code of a stored card'
  }
  return null
}

/** The account that has a token of the card charges that, without a code. */
function lacksCode(
  { id, needsSecurityCode }: RoutableAccount,
  { source, boundTo, withCode = false }: RouteQuestion,
): boolean {
  return needsSecurityCode === true && source === 'one_off' && !withCode && boundTo !== id
}

function takesMethod(
  { methods }: RoutableAccount,
  { paymentMethod, instrument, agreement }: RouteQuestion,
): boolean {
  if (methods.includes(paymentMethod)) return true
  if (paymentMethod !== 'payment_token') return false
  if (agreement !== undefined) return methods.includes(agreement)
  return instrument !== 'wallet' && methods.includes('credit_card')
}

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Money } from '#kernel/money'
import { decideRoute, type RoutableAccount, type RouteQuestion } from './decide-route.ts'
import { type Lags, takeByWeight } from './distribution.ts'
import type { RoutingRule } from '../model/rule.ts'

const IDS = ['acc_a', 'acc_b', 'acc_c', 'acc_d'] as const
const CURRENCIES = ['HKD', 'USD', 'JPY'] as const
const METHODS = ['credit_card', 'payment_token', 'wallet_a_pay', 'wallet_b'] as const

const account = (id: string, members: Partial<RoutableAccount> = {}): RoutableAccount => ({
  id,
  state: 'active',
  methods: ['credit_card'],
  currencies: [],
  rawCardNumbers: true,
  ...members,
})
const question = (members: Partial<RouteQuestion> = {}): RouteQuestion => ({
  amount: Money.ofDecimal('HKD', '100'),
  paymentMethod: 'credit_card',
  source: 'one_off',
  brand: 'visa',
  country: 'HK',
  instrument: 'card',
  boundTo: null,
  ...members,
})
const rule = (members: Partial<RoutingRule> = {}): RoutingRule => ({
  when: {},
  accounts: [{ id: 'acc_a', weight: 1 }],
  fallback: [],
  ...members,
})
const first = (_index: number, _rule: RoutingRule, able: readonly { id: string }[]) => able[0]?.id ?? ''
const decide = (accounts: readonly RoutableAccount[], rules: readonly RoutingRule[], members = {}) =>
  decideRoute(accounts, rules, question(members), first)

const accounts = fc.uniqueArray(
  fc.record({
    id: fc.constantFrom(...IDS),
    state: fc.constantFrom('active', 'disabled'),
    methods: fc.subarray([...METHODS]),
    currencies: fc.subarray([...CURRENCIES]),
    rawCardNumbers: fc.boolean(),
  }),
  { selector: ({ id }) => id },
)
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })
const when = fc
  .record({
    currency: optional(fc.constantFrom(...CURRENCIES)),
    min_amount: optional(fc.nat(200).map(String)),
    max_amount: optional(fc.nat(200).map(String)),
    brand: optional(fc.constantFrom('visa', 'amex')),
    country: optional(fc.constantFrom('HK', 'US')),
    payment_method: optional(fc.constantFrom(...METHODS)),
    source: optional(fc.constantFrom('recurring', 'one_off')),
  })
  .map((members) => Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)))
const rules = fc.array(
  fc.record({
    when,
    accounts: fc.uniqueArray(
      fc.record({ id: fc.constantFrom(...IDS), weight: fc.integer({ min: 1, max: 9 }) }),
      {
        minLength: 1,
        selector: ({ id }) => id,
      },
    ),
    fallback: fc.uniqueArray(fc.constantFrom(...IDS)),
  }),
  { maxLength: 5 },
)
const questions = fc.record({
  amount: fc
    .tuple(fc.constantFrom(...CURRENCIES), fc.nat(30_000))
    .map(([currency, minor]) => Money.ofMinor(currency, BigInt(minor))),
  paymentMethod: fc.constantFrom(...METHODS),
  source: fc.constantFrom('recurring', 'one_off'),
  brand: fc.constantFrom('visa', 'amex', null),
  country: fc.constantFrom('HK', 'US', null),
  instrument: fc.constantFrom('card', 'wallet', 'bound', 'any'),
  boundTo: fc.constantFrom(...IDS, null),
})

/** Written from the reference, not from the code. */
function canTake(candidate: RoutableAccount, asked: RouteQuestion): boolean {
  const isBoundHere = asked.boundTo === candidate.id
  const takesStoredCard = asked.paymentMethod === 'payment_token' && asked.instrument !== 'wallet'
  return (
    candidate.state === 'active' &&
    (candidate.currencies.length === 0 || candidate.currencies.includes(asked.amount.currency)) &&
    (candidate.methods.includes(asked.paymentMethod) ||
      (takesStoredCard && candidate.methods.includes('credit_card'))) &&
    (asked.instrument !== 'card' || candidate.rawCardNumbers || isBoundHere) &&
    (asked.instrument !== 'bound' || isBoundHere)
  )
}

// Proves reference/acquirers#routing.
test('a route names only accounts that can take the payment, each once, and none only if there is none', () => {
  fc.assert(
    fc.property(accounts, rules, questions, (all, given, asked) => {
      const decision = decideRoute(all, given, asked, first)
      const able = all.filter((candidate) => canTake(candidate, asked)).map(({ id }) => id)
      const routed = decision.account === null ? [] : [decision.account, ...decision.fallback]
      expect(new Set(routed).size).toBe(routed.length)
      expect(able).toEqual(expect.arrayContaining(routed))
      expect(decision.account === null).toBe(able.length === 0)
      const taken = decision.candidates.filter(({ leftOut }) => leftOut === null).map(({ id }) => id)
      expect(taken).toEqual(able)
    }),
    { numRuns: 2_000 },
  )
})

test('no rule before the one that decides matches and has an account that can take the payment', () => {
  fc.assert(
    fc.property(accounts, rules, questions, (all, given, asked) => {
      const decision = decideRoute(all, given, asked, first)
      const earlier = given.slice(0, decision.rule ?? given.length)
      for (const one of earlier) {
        const alone = decideRoute(all, [one], asked, first)
        expect(alone.rule).toBeNull()
      }
    }),
    { numRuns: 1_000 },
  )
})

test('without a rule that decides, the oldest account that can take the payment is chosen, without fallbacks', () => {
  fc.assert(
    fc.property(accounts, questions, (all, asked) => {
      const decision = decideRoute(all, [], asked, first)
      expect(decision.account).toBe(all.find((candidate) => canTake(candidate, asked))?.id ?? null)
      expect(decision).toMatchObject({ rule: null, fallback: [] })
    }),
  )
})

test('after any number of payments each account has its share, within the number of accounts', () => {
  const weights = fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(weights, fc.integer({ min: 1, max: 400 }), (given, payments) => {
      const weighted = given.map((weight, index) => ({ id: `acc_${index}`, weight }))
      const sum = given.reduce((total, weight) => total + weight, 0)
      const lags: Lags = new Map()
      const taken = new Map<string, number>()
      for (let payment = 1; payment <= payments; payment++) {
        const id = takeByWeight(lags, weighted)?.id ?? ''
        taken.set(id, (taken.get(id) ?? 0) + 1)
        for (const { id: each, weight } of weighted) {
          const share = (payment * weight) / sum
          expect(Math.abs((taken.get(each) ?? 0) - share)).toBeLessThan(weighted.length)
        }
      }
    }),
  )
})

describe('a rule matches when all its conditions hold', () => {
  const all = [account('acc_z'), account('acc_a')]
  test.each<[RoutingRule['when'], Partial<RouteQuestion>, boolean]>([
    [{}, {}, true],
    [{ currency: 'HKD' }, {}, true],
    [{ currency: 'USD' }, {}, false],
    [{ min_amount: '100' }, {}, true],
    [{ min_amount: '100.01' }, {}, false],
    [{ max_amount: '100' }, {}, true],
    [{ max_amount: '99.99' }, {}, false],
    [{ min_amount: '10.5' }, { amount: Money.ofMinor('JPY', 11n) }, true],
    [{ min_amount: '10.5' }, { amount: Money.ofMinor('JPY', 10n) }, false],
    [{ max_amount: '999999999999999' }, { amount: Money.ofMinor('KWD', 1n) }, true],
    [{ brand: 'Visa' }, {}, true],
    [{ brand: 'amex' }, {}, false],
    [{ brand: 'visa' }, { brand: null }, false],
    [{ country: 'HK' }, {}, true],
    [{ country: 'HK' }, { country: null }, false],
    [{ payment_method: 'payment_token' }, {}, false],
    [{ payment_method: 'payment_token' }, { paymentMethod: 'payment_token' }, true],
    [{ source: 'recurring' }, {}, false],
    [{ source: 'recurring', currency: 'HKD' }, { source: 'recurring' }, true],
  ])('%j', (condition, members, matches) => {
    expect(decide(all, [rule({ when: condition })], members).account).toBe(matches ? 'acc_a' : 'acc_z')
  })
})

test('the first fallback that can take the payment stands in when all accounts of the rule are left out', () => {
  const all = [account('acc_z'), account('acc_a', { state: 'disabled' }), account('acc_b'), account('acc_c')]
  const decision = decide(all, [rule({ fallback: ['acc_a', 'acc_b', 'acc_c'] })])
  expect(decision).toMatchObject({ rule: 0, account: 'acc_b', fallback: ['acc_c'] })
})

test('every account that is left out has its reason', () => {
  const all = [
    account('acc_a', { state: 'disabled' }),
    account('acc_b', { currencies: ['USD'] }),
    account('acc_c', { methods: ['wallet_b'] }),
    account('acc_d', { rawCardNumbers: false }),
    account('acc_e'),
  ]
  expect(decide(all, []).candidates.map(({ leftOut }) => leftOut)).toEqual([
    'it is disabled',
    'it does not take HKD',
    'it does not take credit_card',
    'it does not take raw card numbers',
    null,
  ])
  const bound = decide(all, [], { instrument: 'bound', boundTo: 'acc_d' })
  expect(bound.account).toBe('acc_d')
  expect(bound.candidates.at(-1)?.leftOut).toBe('the instrument is bound to another account')
})

// Proves reference/acquirers#routing.
test.each([
  ['a stored number, its payer present', {}, null],
  ['a stored number, its payer absent', { source: 'recurring' }, 'acc_a'],
  ['a number whose code was just entered', { withCode: true }, 'acc_a'],
  ['a number that it keeps a token of', { boundTo: 'acc_a' }, 'acc_a'],
  ['a number that another account keeps a token of', { boundTo: 'acc_b' }, null],
])('an account that asks for the security code and %s', (_, members, chosen) => {
  const asks = [account('acc_a', { needsSecurityCode: true })]
  expect(decide(asks, [], { paymentMethod: 'payment_token', ...members }).account).toBe(chosen)
})

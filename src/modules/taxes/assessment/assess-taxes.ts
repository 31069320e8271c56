import {
  type Decimal,
  decimal,
  decimalToString,
  divideHalfUp,
  plusDecimals,
  unscaledAt,
} from '#kernel/decimal'
import { Money, sumMoney } from '#kernel/money'
import type { LegalEntity } from '../model/legal-entity.ts'
import type { NamedRate, OrderTax, TaxBehavior, TaxedAs, TaxGroup, Treatment } from '../model/tax.ts'
import { runningShares } from './running-shares.ts'

/**
 * - `amount`: What is left of the line after deductions, tax included or not as the behavior says.
 * - `amounts`: The tax of each of its rates, if an engine computed it.
 */
export interface TaxableLine {
  readonly amount: Money
  readonly taxedAs: TaxedAs
  readonly amounts?: readonly Money[]
}

export interface AssessedTaxes {
  readonly order: OrderTax
  readonly taxes: readonly Money[]
}

export interface TaxRules {
  readonly behavior: TaxBehavior
  readonly rounding: LegalEntity['taxRounding']
  readonly currency: string
}

const NO_TAX = decimal(0)

const NAMES: Readonly<Record<Exclude<Treatment, 'taxed'>, string>> = {
  exempt: 'Exempt',
  reverse_charge: 'Reverse charge',
  no_rate: 'No rate',
  not_registered: 'Not registered',
}

/** - `allRates`: The sum of all rates of the line. */
interface Member {
  readonly index: number
  readonly rate: number
  readonly line: TaxableLine
  readonly allRates: Decimal
}

interface Group extends NamedRate {
  readonly treatment: Treatment
  readonly members: Member[]
}

/**
 * Computes the tax of each rate over all its lines and shares it over these lines. So lines sum to groups, and groups to the
 * total (reference/billing-tax#rounding).
 */
export function assessTaxes(
  lines: readonly TaxableLine[],
  { behavior, rounding, currency }: TaxRules,
): AssessedTaxes {
  const zero = Money.zero(currency)
  const taxes = lines.map(() => zero)
  const assessed = groupsOf(lines).map((group) => {
    const shares = sharesOf(group, behavior, rounding, currency)
    for (const [position, { index }] of group.members.entries()) {
      taxes[index] = (taxes[index] ?? zero).plus(shares[position] ?? zero)
    }
    return { group, amount: sumMoney(currency, shares) }
  })
  const groups = assessed.map(({ group: { name, percentage, treatment, members }, amount }): TaxGroup => {
    const nets = members.map(({ index, line }) =>
      behavior === 'inclusive' ? line.amount.minus(taxes[index] ?? zero) : line.amount,
    )
    return { name, percentage, treatment, base: sumMoney(currency, nets), amount }
  })
  return { order: { behavior, total: sumMoney(currency, taxes), groups }, taxes }
}

/** The tax of a single amount: added to an exclusive amount, contained in an inclusive one. */
export function taxOn(amount: Money, taxedAs: TaxedAs, behavior: TaxBehavior): Money {
  const rules = { behavior, rounding: 'document', currency: amount.currency } as const
  return assessTaxes([{ amount, taxedAs }], rules).order.total
}

export function rateLabel({ name, percentage }: NamedRate): string {
  return `${name} ${decimalToString(percentage)}%`
}

function groupsOf(lines: readonly TaxableLine[]): Group[] {
  const groups = new Map<string, Group>()
  for (const [index, line] of lines.entries()) {
    const { treatment, rates } = line.taxedAs
    const named: readonly NamedRate[] =
      treatment === 'taxed' ? rates : [{ name: NAMES[treatment], percentage: NO_TAX }]
    const allRates = rates.reduce((sum, { percentage }) => plusDecimals(sum, percentage), NO_TAX)
    for (const [rate, { name, percentage }] of named.entries()) {
      const key = JSON.stringify([treatment, name, decimalToString(percentage)])
      const group = groups.get(key) ?? { name, percentage, treatment, members: [] }
      group.members.push({ index, rate, line, allRates })
      groups.set(key, group)
    }
  }
  return [...groups.values()]
}

function sharesOf(
  { percentage, members }: Group,
  behavior: TaxBehavior,
  rounding: TaxRules['rounding'],
  currency: string,
): Money[] {
  const zero = Money.zero(currency)
  const own = members.map(({ line, rate }) =>
    line.amounts === undefined ? null : (line.amounts[rate] ?? zero),
  )
  const amounts = members.map(({ line }, index) => (own[index] === null ? line.amount : zero))
  const parts = members.map((member) => exactTax(member, percentage, behavior))
  const computed =
    rounding === 'line'
      ? parts.map((part) => rounded([part], currency))
      : runningShares(
          rounded(
            parts.filter((_, index) => own[index] === null),
            currency,
          ),
          amounts,
        )
  return computed.map((share, index) => own[index] ?? share)
}

interface Fraction {
  readonly numerator: bigint
  readonly denominator: bigint
}

function exactTax(
  { line: { amount }, allRates }: Member,
  percentage: Decimal,
  behavior: TaxBehavior,
): Fraction {
  const scale = Math.max(percentage.scale, allRates.scale)
  const hundred = 100n * 10n ** BigInt(scale)
  return {
    numerator: amount.minor * unscaledAt(percentage, scale),
    denominator: behavior === 'inclusive' ? hundred + unscaledAt(allRates, scale) : hundred,
  }
}

/** Adds parts of one denominator first, because a common denominator of all grows with each part. */
function rounded(parts: readonly Fraction[], currency: string): Money {
  const numerators = new Map<bigint, bigint>()
  for (const { numerator, denominator } of parts) {
    numerators.set(denominator, (numerators.get(denominator) ?? 0n) + numerator)
  }
  let sum: Fraction = { numerator: 0n, denominator: 1n }
  for (const [denominator, numerator] of numerators) {
    sum = {
      numerator: sum.numerator * denominator + numerator * sum.denominator,
      denominator: sum.denominator * denominator,
    }
  }
  return Money.ofMinor(currency, divideHalfUp(sum.numerator, sum.denominator))
}

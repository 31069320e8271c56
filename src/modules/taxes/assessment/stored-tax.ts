import { type Decimal, decimal, decimalToString } from '#kernel/decimal'
import { Money } from '#kernel/money'
import type { NamedRate, OrderTax, TaxedAs, TaxGroup, Treatment } from '../model/tax.ts'

/** Percentages and amounts are texts, so that no JSON reader rounds them. */
export interface StoredTaxedAs {
  readonly treatment: Treatment
  readonly rates: readonly { readonly name: string; readonly percentage: string }[]
}

interface StoredOrderTax {
  readonly behavior: OrderTax['behavior']
  readonly no_rate?: true
  readonly groups: readonly {
    readonly name: string
    readonly percentage: string
    readonly treatment: Treatment
    readonly base_minor: string
    readonly amount_minor: string
  }[]
}

export function storedTaxedAs({ treatment, rates }: TaxedAs): StoredTaxedAs {
  return {
    treatment,
    rates: rates.map(({ name, percentage }) => ({ name, percentage: decimalToString(percentage) })),
  }
}

export function readTaxedAs({ treatment, rates }: StoredTaxedAs): TaxedAs {
  return {
    treatment,
    rates: rates.map(({ name, percentage }): NamedRate => ({ name, percentage: decimal(percentage) })),
  }
}

export function storedOrderTax({ behavior, groups }: OrderTax): string {
  return JSON.stringify({
    behavior,
    ...(groups.some(({ treatment }) => treatment === 'no_rate') && { no_rate: true as const }),
    groups: groups.map(({ name, percentage, treatment, base, amount }) => ({
      name,
      percentage: decimalToString(percentage),
      treatment,
      base_minor: base.minor.toString(),
      amount_minor: amount.minor.toString(),
    })),
  } satisfies StoredOrderTax)
}

export function readOrderTax(text: string, currency: string): OrderTax {
  const { behavior, groups } = JSON.parse(text) as StoredOrderTax
  const money = (minor: string) => Money.ofMinor(currency, BigInt(minor))
  const read = groups.map(({ name, percentage, treatment, base_minor, amount_minor }): TaxGroup => ({
    name,
    percentage: decimal(percentage) satisfies Decimal,
    treatment,
    base: money(base_minor),
    amount: money(amount_minor),
  }))
  const total = read.reduce((sum, { amount }) => sum.plus(amount), Money.zero(currency))
  return { behavior, total, groups: read }
}

import { type Decimal, decimal, decimalToString } from '#kernel/decimal'
import { Money } from '#kernel/money'
import type { NamedRate, OrderTax, RateOrigin, TaxedAs, TaxGroup, Treatment } from '../model/tax.ts'

/** Percentages and amounts are texts, so that no JSON reader rounds them. */
export interface StoredTaxedAs {
  readonly treatment: Treatment
  readonly rates: readonly (StoredOrigin & { readonly name: string; readonly percentage: string })[]
}

/** What is null is left out. */
interface StoredOrigin {
  readonly country?: string
  readonly region?: string
  readonly category?: string
}

function storedOrigin({ country, region, category }: RateOrigin): StoredOrigin {
  return {
    country,
    ...(region !== null && { region }),
    ...(category !== null && { category }),
  }
}

function readOrigin({ country, region, category }: StoredOrigin): RateOrigin | undefined {
  return country === undefined ? undefined : { country, region: region ?? null, category: category ?? null }
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
    rates: rates.map(({ name, percentage, origin }) => ({
      name,
      percentage: decimalToString(percentage),
      ...(origin !== undefined && storedOrigin(origin)),
    })),
  }
}

export function readTaxedAs({ treatment, rates }: StoredTaxedAs): TaxedAs {
  return {
    treatment,
    rates: rates.map(({ name, percentage, ...stored }): NamedRate => {
      const origin = readOrigin(stored)
      return { name, percentage: decimal(percentage), ...(origin !== undefined && { origin }) }
    }),
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

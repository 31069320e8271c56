import type { Currency } from '#kernel/currencies'
import { Money, sumMoney } from '#kernel/money'
import { convert, type ExchangeRate, type TaxGroup } from '#modules/taxes'

/**
 * The tax of a document in the currency in which its seller reports tax.
 * - `date`: The local day whose rate it needs.
 * - `converted`: Null while there is no such rate.
 */
export interface TaxExchange {
  readonly currency: Currency
  readonly date: string
  readonly converted: ConvertedTaxes | null
}

/** - `groups`: In the order of the document's taxes. They sum to the total. */
interface ConvertedTaxes {
  readonly rate: ExchangeRate
  readonly total: Money
  readonly groups: readonly ConvertedGroup[]
}

interface ConvertedGroup {
  readonly base: Money
  readonly amount: Money
}

/**
 * What decides the tax in the seller's currency.
 * - `rate`: Undefined if there is none for the date.
 */
export interface WantedExchange extends Pick<TaxExchange, 'currency' | 'date'> {
  readonly rate: ExchangeRate | undefined
}

/**
 * What earlier credit notes of an invoice took of it. With it, the tax of an invoice's notes is a running share, so that all notes
 * together are the invoice.
 */
export interface TakenBefore {
  readonly base: Money
  readonly tax: Money
}

export function isTaxed(taxes: readonly TaxGroup[]): boolean {
  return taxes.some(({ treatment }) => treatment === 'taxed')
}

/** Returns undefined for documents that are not taxed. */
export function exchangeOf(
  taxes: readonly TaxGroup[],
  wanted: WantedExchange | undefined,
  before?: TakenBefore,
): TaxExchange | undefined {
  if (wanted === undefined || !isTaxed(taxes)) return undefined
  const { currency, date, rate } = wanted
  if (rate === undefined) return { currency, date, converted: null }
  return { currency, date, converted: convertTaxes(currency, taxes, rate, before) }
}

/**
 * The total is rounded once, as EN 16931 wants it (BT-111). Its groups are running shares: what is converted up to a group, less what
 * was converted up to the group before it.
 */
function convertTaxes(
  currency: Currency,
  taxes: readonly TaxGroup[],
  rate: ExchangeRate,
  before?: TakenBefore,
): ConvertedTaxes {
  const bases = runningConversions(
    taxes.map(({ base }) => base),
    rate,
    before?.base,
  )
  const amounts = runningConversions(
    taxes.map(({ amount }) => amount),
    rate,
    before?.tax,
  )
  return {
    rate,
    total: sumMoney(currency, amounts),
    groups: taxes.flatMap((_, index) => {
      const [base, amount] = [bases[index], amounts[index]]
      return base === undefined || amount === undefined ? [] : { base, amount }
    }),
  }
}

function runningConversions(
  amounts: readonly Money[],
  rate: ExchangeRate,
  before: Money | undefined,
): Money[] {
  const [first] = amounts
  if (first === undefined) return []
  let sum = before ?? Money.zero(first.currency)
  let converted = convert(sum, rate)
  return amounts.map((amount) => {
    sum = sum.plus(amount)
    const until = convert(sum, rate)
    const share = until.minus(converted)
    converted = until
    return share
  })
}

import type { OrderMoney } from '#modules/payments'
import { exchangeRates, type ExchangeRate, legalEntities, type RateKey } from '#modules/taxes'
import type { Tx } from '#platform/postgres/database'
import type { IssuedInvoice } from '../model/issued-invoice.ts'
import type { InvoiceOfOrder } from '../storage/open-invoice.repository.ts'

/**
 * What converts an amount into the currency of its seller's books.
 * - `missing`: The rate that is not stored.
 */
export type BaseRate = { readonly rate: ExchangeRate } | { readonly missing: RateKey } | null

interface ToConvert {
  readonly legalEntityId: string
  readonly currency: string
  readonly date: string
  readonly own: { readonly currency: string; readonly rate: ExchangeRate | undefined } | undefined
}

/** A document uses the rate that it shows; one that is not taxed shows none, and uses that of its day. */
export function documentToConvert({ seller, currency, issueDate, exchange }: IssuedInvoice): ToConvert {
  const own = exchange && { currency: exchange.currency, rate: exchange.converted?.rate }
  return { legalEntityId: seller.legalEntityId, currency, date: exchange?.date ?? issueDate, own }
}

/** Money is worth what the rate of its value date says, or else that of its invoice. */
export function moneyToConvert(
  { amount, date }: Pick<OrderMoney, 'amount' | 'date'>,
  invoice: InvoiceOfOrder,
): ToConvert {
  return { legalEntityId: invoice.legalEntityId, currency: amount.currency, date, own: invoice.wanted }
}

/** @param prefersDay whether the rate of the day wins over the one that the document shows */
export async function findBaseRates(
  tx: Tx,
  toConvert: readonly ToConvert[],
  { prefersDay }: { readonly prefersDay: boolean },
): Promise<BaseRate[]> {
  const entities = await legalEntities(tx, [...new Set(toConvert.map(({ legalEntityId }) => legalEntityId))])
  const wanted = toConvert.map(({ legalEntityId, currency: from, date, own }) => {
    const to = own?.currency ?? entities.get(legalEntityId)?.currency ?? from
    return to === from ? null : { key: { from, to, date }, own: own?.rate }
  })
  const keys = wanted.flatMap((one) =>
    one === null || (one.own !== undefined && !prefersDay) ? [] : one.key,
  )
  const rateOf = await exchangeRates(tx, keys)
  return wanted.map((one) => {
    if (one === null) return null
    const rate = prefersDay ? (rateOf(one.key) ?? one.own) : (one.own ?? rateOf(one.key))
    return rate === undefined ? { missing: one.key } : { rate }
  })
}

import {
  exchangeRates,
  exchangeRatesToStore,
  type LegalEntity,
  type OrderTax,
  type RateKey,
  taxErrors,
} from '#modules/taxes'
import type { RequestError } from '#kernel/errors'
import type { Tx } from '#platform/postgres/database'
import { isTaxed, type TaxExchange, type WantedExchange } from '../model/exchange.ts'

/**
 * A document that may need a rate.
 * - `date`: The local day that decides its taxes.
 * - `corrected`: Of a credit note: what the invoices that it corrects say, the newest first. It uses their rate.
 */
export interface ToExchange {
  readonly currency: string
  readonly tax: Pick<OrderTax, 'groups'> | null
  readonly entity: Pick<LegalEntity, 'currency'>
  readonly date: string
  readonly corrected?: readonly (WantedExchange | undefined)[]
}

/**
 * Finds the rates that documents need. Documents in the currency of their seller need none, and cost no statement.
 * @param isStored whether this transaction stores the documents
 */
export async function findExchanges<Document extends ToExchange>(
  tx: Tx,
  documents: readonly Document[],
  { isStored }: { readonly isStored: boolean },
): Promise<(document: Document) => WantedExchange | undefined> {
  const needed = new Map(
    documents.flatMap((document) => {
      const wanted = neededBy(document)
      return wanted === undefined ? [] : [[document, wanted] as const]
    }),
  )
  if (needed.size === 0) return () => undefined
  const keys = [...needed].flatMap(([document, wanted]) =>
    wanted.rate === undefined ? keyOf(document, wanted) : [],
  )
  const rateOf = await (isStored ? exchangeRatesToStore(tx, keys) : exchangeRates(tx, keys))
  return (document) => {
    const wanted = needed.get(document)
    return wanted && { ...wanted, rate: wanted.rate ?? rateOf(keyOf(document, wanted)) }
  }
}

function neededBy({ currency, tax, entity, date, corrected = [] }: ToExchange): WantedExchange | undefined {
  if (tax === null || !isTaxed(tax.groups)) return undefined
  if (corrected.length > 0) return corrected.find((wanted) => wanted !== undefined)
  if (entity.currency === null || entity.currency === currency) return undefined
  return { currency: entity.currency, date, rate: undefined }
}

function keyOf({ currency: from }: ToExchange, { currency: to, date }: WantedExchange): RateKey {
  return { from, to, date }
}

/** Refuses a document that lacks its rate. */
export function requireRate(currency: string, exchange: TaxExchange | undefined): void {
  if (exchange?.converted === null)
    throw rateMissing([{ from: currency, to: exchange.currency, date: exchange.date }])
}

export function rateMissing(missing: readonly RateKey[]): RequestError {
  return taxErrors.exchange_rate_missing({
    data: {
      exchange_rates: missing.map(({ from, to, date }) => ({ date, base: from, quote: to })),
    },
  })
}

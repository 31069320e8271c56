import type { Tx } from '#platform/postgres/database'
import type { ExchangeRate, RateKey } from '../model/exchange-rate.ts'
import { findExchangeRates, shareExchangeRates } from '../storage/exchange-rate.repository.ts'

/**
 * Finds rates for documents that this transaction stores. Where one is missing, no rate is given until the transaction ends, so that
 * none comes unseen between this look and the document.
 */
export async function exchangeRatesToStore(
  tx: Tx,
  wanted: readonly RateKey[],
): Promise<(key: RateKey) => ExchangeRate | undefined> {
  const rateOf = await findExchangeRates(tx, wanted)
  if (wanted.every((key) => rateOf(key) !== undefined)) return rateOf
  await shareExchangeRates(tx)
  return findExchangeRates(tx, wanted)
}
